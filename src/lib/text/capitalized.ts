// A name or a phrase as it begins a line.
export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
