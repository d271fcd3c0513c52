// Binary search.

/** The first of the indexes below `length` for which `isThere` holds, where it holds from some index on; else `length`. */
export function firstIndex(length: number, isThere: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isThere(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
