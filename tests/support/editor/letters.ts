// Letters that show who typed them and in which order: one person types capitals, another small letters.

/** `count` letters of one person, cycling through the alphabet. */
export function lettersOf(alphabet: string, count: number): string {
  return Array.from({ length: count }, (_, at) => alphabet[at % alphabet.length]).join('');
}

export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';

/** The letters of the text that are in the alphabet. */
export const only = (text: string, alphabet: string): string =>
  Array.from(text)
    .filter((letter) => alphabet.includes(letter))
    .join('');

/** How often the author changes between two letters: high if two people typed at the same time. */
export function countTurns(text: string): number {
  const writers = Array.from(text, (letter) => UPPER.includes(letter));
  return writers.filter((writer, at) => at > 0 && writer !== writers[at - 1]).length;
}
