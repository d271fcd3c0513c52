// The former place of a deleted block, row or cell, and the person who deleted it.
import * as Y from 'yjs';
import { CELL, ROW } from '../../document/names.ts';
import type { UserId } from '../../protocol/ids.ts';
import type { Session } from '../../sync/session/session-api.ts';
import type { LineKind } from '../tables/table-commands.ts';
import type { AuthoredDeletions } from '../../sync/updates/remote-deletions.ts';

/** Ids of this many blocks before the place are stored, so that one of them still exists later. */
const MAX_IDS_BEFORE = 12;

/** The nearest first. A table that is still there is the nearest to what it lost. */
export function idsBefore(block: Y.XmlElement): readonly string[] {
  const ids: string[] = [];
  for (let item = block._item; item !== null && ids.length < MAX_IDS_BEFORE; item = item.left) {
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

/** What of a table was deleted; neither for a block. */
export const lineOf = ({ nodeName }: Y.XmlElement): { readonly line?: LineKind } =>
  nodeName === ROW ? { line: 'row' } : nodeName === CELL ? { line: 'column' } : {};

/** The user who deleted it, if their session is still known. */
export function deleterOf(
  session: Session,
  deletions: readonly AuthoredDeletions[],
  part: Y.XmlElement,
): UserId | null {
  const id = part._item?.id;
  if (id === undefined) return null;
  const isIts = ({ deletes }: AuthoredDeletions) =>
    deletes.get(id.client)?.some(({ clock, len }) => clock <= id.clock && id.clock < clock + len) === true;
  const by = deletions.find(isIts)?.by ?? null;
  return session.getView().peers.find((peer) => peer.session === by)?.user ?? null;
}
