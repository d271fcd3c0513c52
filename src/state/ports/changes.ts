// The changes of a page since somebody's last visit.
import type { ChangeSteps } from '../../document/changes/change-steps.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentId, LinkSecret, UserId } from '../../protocol/ids.ts';
import type { LinkWatch } from '../../sync/session/session-api.ts';

export type ChangesSince = ChangeSteps & {
  /** When the person was here last, in ms since 1970 by this device's clock. */
  readonly visitAt: number;
  /** The last change of each block: its time, and its author if the reader may know that. */
  readonly touched: ReadonlyMap<string, { readonly at: number | null; readonly by: UserId | null }>;
};

/** For somebody signed in. Null if nobody else changed anything, or it cannot be found out now. Never rejects. */
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
