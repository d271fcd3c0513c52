// Finds icons by the beginnings of words.

type Named = { readonly name: string; readonly words: string };

/** Every word of the query must begin one of the icon's words. An empty query finds all. */
export function findIcons<Entry extends Named>(icons: readonly Entry[], query: string): readonly Entry[] {
  // Not by the locale: in Turkish “I” becomes “ı”, and the words are English.
  const wanted = query
    .toLowerCase()
    .split(/[\s-]+/u)
    .filter((word) => word !== '');
  return icons.filter(({ name, words }) => {
    const known = [...name.split('-'), ...words.split(' ')];
    return wanted.every((word) => known.some((one) => one.startsWith(word)));
  });
}

/** The icon that an arrow key leads to in a grid, from the one at `at`. Null for other keys and at the edges. */
export function stepInGrid(key: string, at: number, count: number, columns: number): number | null {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  const next = step === undefined ? -1 : at + step;
  return next < 0 || next >= count ? null : next;
}
