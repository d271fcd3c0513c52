// What a view draws of the changes since a visit, or of a page's history.
import type { ComponentType } from 'react';
import type { ChangeMark } from '../../document/changes/change-steps.ts';
import type { MarksByBlock } from '../../document/changes/placed-marks.ts';

export type ShownChanges = {
  readonly marks: MarksByBlock;
  /** The time of a block's change, and the name if the reader may know it, by block. */
  readonly labels: ReadonlyMap<string, string>;
  /** The step that the reader is at. */
  readonly current: number | null;
  /** In a page's history: who did it. */
  readonly history?: ShownHistory;
};

export type ShownHistory = {
  /** Marks without a look are not drawn. */
  readonly looks: ReadonlyMap<ChangeMark, TextLook>;
  readonly blocks: ReadonlyMap<string, BlockLook>;
  /** The block that the reader chose. */
  readonly picked: string | null;
  /** What stands beside a block. */
  readonly Aside: ComponentType<{ readonly blockKey: string }>;
};

export type TextLook = {
  readonly kind: 'added' | 'removed' | 'formatted' | 'written';
  /** The person's color. */
  readonly dye: string | null;
  /** Who, and when. */
  readonly says: string;
};

export type BlockLook = {
  readonly sign: 'added' | 'removed' | 'moved' | 'changed';
  readonly dye: string | null;
};
