// The former place of a deleted block, and the person who deleted it.
import * as Y from 'yjs';
import type { UserId } from '../../protocol/ids.ts';
import type { Session } from '../../sync/session/session-api.ts';
import type { AuthoredDeletions } from '../../sync/updates/remote-deletions.ts';

/** Ids of this many blocks before the place are stored, so that one of them still exists later. */
const MAX_IDS_BEFORE = 12;

/** The nearest first. */
export function idsBefore(block: Y.XmlElement): readonly string[] {
  const ids: string[] = [];
  for (let item = block._item?.left ?? null; item !== null && ids.length < MAX_IDS_BEFORE; item = item.left) {
    if (item.deleted || !(item.content instanceof Y.ContentType)) continue;
    const { type } = item.content;
    const id: unknown = type instanceof Y.XmlElement ? type.getAttribute('id') : null;
    if (typeof id === 'string') ids.push(id);
  }
  return ids;
}

export function mergedDeletions(deletions: readonly AuthoredDeletions[]): AuthoredDeletions['deletes'] {
  const all = new Map<number, { readonly clock: number; readonly len: number }[]>();
  for (const { deletes } of deletions) {
    for (const [client, ranges] of deletes) all.set(client, [...(all.get(client) ?? []), ...ranges]);
  }
  return all;
}

/** The user who deleted the block, if their session is still known. */
export function deleterOf(
  session: Session,
  deletions: readonly AuthoredDeletions[],
  block: Y.XmlElement,
): UserId | null {
  const id = block._item?.id;
  if (id === undefined) return null;
  const isIts = ({ deletes }: AuthoredDeletions) =>
    deletes.get(id.client)?.some(({ clock, len }) => clock <= id.clock && id.clock < clock + len) === true;
  const by = deletions.find(isIts)?.by ?? null;
  return session.getView().peers.find((peer) => peer.session === by)?.user ?? null;
}
