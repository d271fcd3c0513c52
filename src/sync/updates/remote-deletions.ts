// Records which deletions remote updates name. A client that deletes a block names all its text that it has; text that
// disappears unnamed is text it had not seen. Stored on the transaction; the editor uses it to put lost words back
// (LW1).
import type { Transaction } from 'yjs';
import type { SessionId } from '../../protocol/ids.ts';
import type { DecodedUpdate } from './decoded-update.ts';

/** `by`: the session that deleted; null when not known. */
export type AuthoredDeletions = { readonly by: SessionId | null; readonly deletes: DecodedUpdate['deletes'] };

const KEY = 'remoteDeletions';

/** Called inside the transaction that applies the updates. */
export function recordRemoteDeletions(transaction: Transaction, received: readonly AuthoredDeletions[]): void {
  transaction.meta.set(KEY, [...(remoteDeletions(transaction) ?? []), ...received]);
}

/** Null: not known, as with a whole state. */
export function remoteDeletions({ meta }: Transaction): readonly AuthoredDeletions[] | null {
  const received: unknown = meta.get(KEY);
  return Array.isArray(received) ? received : null;
}

/** All that the updates of a transaction name. */
export function mergedDeletions(deletions: readonly AuthoredDeletions[]): AuthoredDeletions['deletes'] {
  const all = new Map<number, { readonly clock: number; readonly len: number }[]>();
  for (const { deletes } of deletions) {
    for (const [client, ranges] of deletes) all.set(client, [...(all.get(client) ?? []), ...ranges]);
  }
  return all;
}

/** The session whose update names this struct; null if none does, or it is not known. */
export const sessionThatDeleted = (
  deletions: readonly AuthoredDeletions[],
  id: { readonly client: number; readonly clock: number },
): SessionId | null =>
  deletions.find(({ deletes }) =>
    deletes.get(id.client)?.some(({ clock, len }) => clock <= id.clock && id.clock < clock + len),
  )?.by ?? null;
