// How wide a table and its columns are drawn. Knows no document: the editor and the page for reading ask it alike.

/** What a column without a width of its own takes at least, in px. */
const DEFAULT_COLUMN_WIDTH = 112;

export type TableLayout = { readonly width: string; readonly columns: readonly string[] };

/** `widths` in px; null: a share of the room that is left. CSS lengths come back. */
export function tableLayoutOf(widths: readonly (number | null)[]): TableLayout {
  const sum = widths.reduce<number>((all, width) => all + (width ?? DEFAULT_COLUMN_WIDTH), 0);
  const isSettled = widths.length > 0 && widths.every((width) => width !== null);
  return {
    width: isSettled ? `${sum}px` : `max(100%, ${sum}px)`,
    columns: widths.map((width) => (width === null ? 'auto' : `${width}px`)),
  };
}
