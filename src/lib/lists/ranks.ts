// The order of siblings and of favourites as text, by fractional indexing. Ranks are printable ASCII, so comparing code
// units here gives the same order as the collation "C" of the database.
import { generateKeyBetween } from 'fractional-indexing';

/** Returns a rank after `rank`, or the first rank for null. */
export const rankAfter = (rank: string | null): string => rankBetween(rank, null);

/** Returns a rank between two, of which null is the beginning or the end. `before` must be lower than `after`. */
export function rankBetween(before: string | null, after: string | null): string {
  try {
    return generateKeyBetween(before, after);
  } catch {
    // The database accepts any printable ASCII as a rank, and the package throws on one that another client made up. A
    // longer text sorts after its own beginning. If nothing fits, the page gets the rank before, and ids decide.
    const start = before ?? '';
    return [`${start}V`, `${start}0`, `${start}!`].find((rank) => after === null || rank < after) ?? before ?? '!';
  }
}

export const compareRanks = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
