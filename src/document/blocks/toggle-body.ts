// The body of a toggle is the run of deeper-indented blocks after it. Does not depend on the editor or the screen.
// Which toggles are folded is each person's own choice and not part of the document.

type Row = {
  /**
   * Null for a node without an indent (a picture, a table). It belongs to the body if a deeper block follows it there.
   */
  readonly indent: number | null;
};
export type ToggleRow = Row & { readonly id: string | null; readonly isToggle: boolean };

/** Index after the last row in the body of the row at `index`; `index + 1` if the body is empty. */
export function bodyEnd(rows: readonly Row[], index: number): number {
  const base = rows[index]?.indent ?? 0;
  let end = index + 1;
  for (let at = end; at < rows.length; at++) {
    const indent = rows[at]?.indent ?? null;
    if (indent === null) continue;
    if (indent <= base) break;
    end = at + 1;
  }
  return end;
}

/** Maps each hidden row to the outermost folded toggle that hides it. */
export function foldedRows(rows: readonly ToggleRow[], folded: ReadonlySet<string>): ReadonlyMap<number, number> {
  const hidden = new Map<number, number>();
  for (let index = 0; index < rows.length;) {
    const row = rows[index];
    const isFolded = row !== undefined && row.isToggle && row.id !== null && folded.has(row.id);
    const end = isFolded ? bodyEnd(rows, index) : index + 1;
    for (let at = index + 1; at < end; at++) hidden.set(at, index);
    index = end;
  }
  return hidden;
}
