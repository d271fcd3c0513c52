// What a view draws of the changes since a visit.
import type { MarksByBlock } from '../../document/changes/placed-marks.ts';

export type ShownChanges = {
  readonly marks: MarksByBlock;
  /** The time of a block's change, and the name if the reader may know it, by block. */
  readonly labels: ReadonlyMap<string, string>;
  /** The step that the reader is at. */
  readonly current: number | null;
};
