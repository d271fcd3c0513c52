// The person who deleted something, as far as it is known.
import { whoDeleted } from 'weft-document/recovered-text/lost-texts.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { AuthoredDeletions } from 'weft-sync/updates/remote-deletions.ts';
import type * as Y from 'yjs';

/** Null if their session is no longer known. */
export function deleterOf(
  session: Session,
  deletions: readonly AuthoredDeletions[],
  part: Y.XmlElement,
): UserId | null {
  const id = part._item?.id;
  const by = id === undefined ? null : whoDeleted(deletions, id);
  return session.getView().peers.find((peer) => peer.session === by)?.user ?? null;
}
