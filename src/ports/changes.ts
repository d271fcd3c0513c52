// The changes of a page since someone's last visit.
import type { ChangeSteps } from 'weft-document/changes/change-steps.ts';
import type { LineKind } from 'weft-document/tables/table-grid.ts';
import type { DocumentId, UserId, LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import type { Cancel } from '../lib/cancel.ts';

export type ChangesSince = ChangeSteps & {
  /** When the person was here last, in ms since 1970 by this device's clock. */
  readonly visitAt: number;
  /** The last change of each block, by the block's key: its time, and its author if the reader may know that. */
  readonly touched: ReadonlyMap<string, { readonly at: number | null; readonly by: UserId | null }>;
  /** Words that someone deleted without having seen them. The tab that wrote them was closed by then, so no one was told. */
  readonly lost: readonly LostSinceVisit[];
};

export type LostSinceVisit = {
  /** The Yjs id of the first lost character: the same for everyone who finds the words. */
  readonly key: string;
  readonly at: number;
  /** The person who deleted the block, row or column; null if unknown. */
  readonly by: UserId | null;
  /** The author of the words; left out if it was the reader. */
  readonly writer?: UserId;
  readonly words: string;
  /** The kind of the block. */
  readonly kind: string;
  /** Only a row or a column of a table was deleted. */
  readonly line?: LineKind;
  /** Ids of the blocks before the place, the nearest first. */
  readonly after: readonly string[];
};

/** For someone signed in. Null if no one else changed anything, or it cannot be found out now. Never rejects. */
export type MemberChanges = (
  document: DocumentId,
  visit: { readonly seenSeq: number; readonly seenAt: number },
) => Promise<ChangesSince | null>;

/** For watchers by link. Their last visit stays on this device, and the server never learns of it. */
export interface LinkVisits {
  /**
   * Stores the shown page while it is on the screen, until cancelled, and forgets it when the link ends. `onChanges` gets the
   * changes since the visit before, once, if there was one and something changed.
   */
  follow(secret: LinkSecret, watch: LinkWatch, onChanges: (changes: ChangesSince) => void): Cancel;
}
