// Beside row.ts, because the first screen reads stored rows and decodes none.

type Numbered = { readonly firstSeq?: number | undefined; readonly seq: number };

/** The number of the first row that this one stands for. */
export const firstSeqOf = (row: Numbered): number => row.firstSeq ?? row.seq;

/** HI9: the row with which the page's history began again. It stands for all rows before it. */
export const beginsAgain = (row: Numbered): boolean => row.seq > 1 && firstSeqOf(row) === 1;
