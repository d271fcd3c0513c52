// The length of a text as PostgreSQL counts it (`char_length`): in code points, so an emoji of two UTF-16 units counts once.

export const isLongerThan = (text: string, characters: number): boolean => Array.from(text).length > characters;
