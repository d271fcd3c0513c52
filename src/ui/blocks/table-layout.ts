// The CSS widths of a table and its columns, for the editor and the read-only view.

/** The least width of a column that has no stored width, in px. */
const DEFAULT_COLUMN_WIDTH = 112;

export type TableLayout = { readonly width: string; readonly columns: readonly string[] };

/** `widths` in px; null means the column shares the remaining room. Returns CSS lengths. */
export function tableLayoutOf(widths: readonly (number | null)[]): TableLayout {
  const sum = widths.reduce<number>((all, width) => all + (width ?? DEFAULT_COLUMN_WIDTH), 0);
  const hasAllWidths = widths.length > 0 && widths.every((width) => width !== null);
  return {
    width: hasAllWidths ? `${sum}px` : `max(100%, ${sum}px)`,
    columns: widths.map((width) => (width === null ? 'auto' : `${width}px`)),
  };
}
