// What updates from outside delete by name. Whoever deletes a block names all that stood in it as far as they had it;
// what goes with it unnamed is what they had not seen. Said on the transaction, for the editor's relay of lost words.
import type { Transaction } from 'yjs';
import type { SessionId } from '../../protocol/ids.ts';
import type { DecodedUpdate } from './missing.ts';

/** `by`: whose edits they are; null when not known. */
export type AuthoredDeletions = { readonly by: SessionId | null; readonly deletes: DecodedUpdate['deletes'] };

const KEY = 'toldDeletions';

/** Inside the transaction that applies them. */
export function recordRemoteDeletions(transaction: Transaction, received: readonly AuthoredDeletions[]): void {
  transaction.meta.set(KEY, [...(remoteDeletions(transaction) ?? []), ...received]);
}

/** Null: nobody said, as with a whole state. */
export function remoteDeletions({ meta }: Transaction): readonly AuthoredDeletions[] | null {
  const received: unknown = meta.get(KEY);
  return Array.isArray(received) ? received : null;
}
