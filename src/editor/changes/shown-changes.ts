// The marks and notes that a view draws for the changes since a visit, or for a page's history.
import type { ChangeMark } from 'weft-document/changes/change-steps.ts';
import type { MarksByBlock } from 'weft-document/changes/placed-marks.ts';

export type ShownChanges = {
  readonly marks: MarksByBlock;
  /** The time of a block's change, and the name if the reader may know it, by block. */
  readonly labels: ReadonlyMap<string, string>;
  /** The step that the reader is at. */
  readonly current: number | null;
};

/** A page's history by block. A block is drawn anew if its object is another one. */
export type ShownHistory = ReadonlyMap<string, BlockHistory>;

export type BlockHistory = {
  readonly marks: readonly HistoryMark[];
  readonly look: BlockLook | null;
  /** The step that the reader is at, if it is in this block. */
  readonly current: number | null;
  /** The reader chose the block. */
  readonly isPicked: boolean;
  /** The note beside it. */
  readonly note: BlockNote | null;
};

/** Only text and gone marks are drawn. */
export type HistoryMark = ChangeMark & { readonly look?: TextLook };

export type TextLook = {
  readonly kind: 'added' | 'removed' | 'formatted' | 'written';
  /** The person's color. */
  readonly dye: string | null;
  /** The person and the time, in words. */
  readonly says: string;
};

export type BlockLook = {
  readonly sign: 'added' | 'removed' | 'moved' | 'changed';
  readonly dye: string | null;
};

/** `name` is empty for readers who learn no names, `others` is the number of further authors. */
export type BlockNote = {
  readonly name: string;
  readonly dye: string | null;
  readonly others: number;
  readonly time: string | null;
  /** The account that saved it passed it on as the edit of another one, which no one can check. */
  readonly isPassedOn: boolean;
};
