// What stands in a toggle: the deeper-indented blocks after it. Knows neither editor nor screen; whether a toggle is
// folded is each person's own and no part of the document.

export type ToggleRow = {
  readonly id: string | null;
  readonly isToggle: boolean;
  /** Null: a node that has none (a picture, a table). It stands in the body when a deeper block follows it there. */
  readonly indent: number | null;
};

/** Index behind the last row of the body of the row at `index`; `index + 1` when it has none. */
export function bodyEnd(rows: readonly ToggleRow[], index: number): number {
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

/** For each row that is folded away: the index of the outermost toggle that hides it. */
export function foldedRows(rows: readonly ToggleRow[], folded: ReadonlySet<string>): ReadonlyMap<number, number> {
  const away = new Map<number, number>();
  for (let index = 0; index < rows.length;) {
    const row = rows[index];
    const isFolded = row !== undefined && row.isToggle && row.id !== null && folded.has(row.id);
    const end = isFolded ? bodyEnd(rows, index) : index + 1;
    for (let at = index + 1; at < end; at++) away.set(at, index);
    index = end;
  }
  return away;
}
