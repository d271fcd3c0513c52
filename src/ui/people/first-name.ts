// The first word of a name, for places where the whole name takes too much room.
export const firstNameOf = (name: string): string => name.trim().split(/\s+/u, 1)[0] ?? name;
