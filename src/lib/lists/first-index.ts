// Binary search.

/** The first index below `length` for which `isThere` is true, or `length`. It must be true for every later index too. */
export function firstIndex(length: number, isThere: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isThere(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
