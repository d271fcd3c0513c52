// The order of siblings as text, by fractional indexing. Ranks consist of ASCII letters and digits, so comparing code
// units here gives the same order as the collation "C" of the database.
import { generateKeyBetween } from 'fractional-indexing';

/** Returns a rank after `rank`, or the first rank for null. */
export function rankAfter(rank: string | null): string {
  try {
    return generateKeyBetween(rank, null);
  } catch {
    // The database accepts any text as a rank, and the package throws on one that another client made up. A longer text
    // sorts after its own beginning.
    return `${rank}V`;
  }
}

export const compareRanks = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
