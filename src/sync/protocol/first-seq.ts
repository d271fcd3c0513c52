// What the numbers and times of rows say. Not in row.ts, because the first screen reads stored rows and decodes none.

/** A row, or a snapshot, whose `seq` and `at` are those of its last row. */
export type Numbered = {
  readonly firstSeq?: number | undefined;
  readonly seq: number;
  readonly at?: number | null | undefined;
};

/** The number of the first row that this one stands for. */
export const firstSeqOf = (row: Numbered): number => row.firstSeq ?? row.seq;

/** HI9: the row with which the page's history began again. It stands for all rows before it. */
export const beginsAgain = (row: Numbered): boolean => row.seq > 1 && firstSeqOf(row) === 1;

/** HI1: rows of one number that were written at different times. */
export const areOfTwoLogs = (row: Numbered, other: Numbered): boolean =>
  row.seq === other.seq && (row.at ?? other.at) !== (other.at ?? row.at);
