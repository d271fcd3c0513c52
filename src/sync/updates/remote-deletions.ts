// What updates from outside delete by name. Whoever deletes a block names all that stood in it as far as they had it;
// what goes with it unnamed is what they had not seen. Said on the transaction, for the editor's rescue of lost words.
import type { Transaction } from 'yjs';
import type { SessionId } from '../../protocol/ids.ts';
import type { Decoded } from './missing.ts';

/** `by`: whose edits they are; null when not known. */
export type Told = { readonly by: SessionId | null; readonly deletes: Decoded['deletes'] };

const KEY = 'toldDeletions';

/** Inside the transaction that applies them. */
export function noteDeletions(transaction: Transaction, told: readonly Told[]): void {
  transaction.meta.set(KEY, [...(toldDeletions(transaction) ?? []), ...told]);
}

/** Null: nobody said, as with a whole state. */
export function toldDeletions({ meta }: Transaction): readonly Told[] | null {
  const told: unknown = meta.get(KEY);
  return Array.isArray(told) ? told : null;
}
