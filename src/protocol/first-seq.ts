// Beside row.ts, because the first screen reads stored rows and decodes none.

/** The number of the first row that this one stands for. */
export const firstSeqOf = (row: { readonly firstSeq?: number | undefined; readonly seq: number }): number =>
  row.firstSeq ?? row.seq;
