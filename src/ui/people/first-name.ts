// The part of a name that fits beside a text.
export const firstNameOf = (name: string): string => name.trim().split(/\s+/u, 1)[0] ?? name;
