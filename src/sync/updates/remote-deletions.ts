// Records which deletions remote updates name. A client that deletes a block names all its text that it has; text that
// disappears unnamed is text it had not seen. Stored on the transaction; the editor uses it to put lost text back
// (LW1).
import type { Transaction } from 'yjs';
import type { SessionId } from '../protocol/ids.ts';
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
