// How many bytes a remote transaction applied. For its `update` event Yjs would encode all of them again: a third of what applying
// a snapshot or a long row takes.
import type { Transaction } from 'yjs';

const KEY = 'remoteBytes';

/** Called inside the transaction that applies them. */
export function addRemoteBytes(transaction: Transaction, bytes: number): void {
  transaction.meta.set(KEY, remoteBytes(transaction) + bytes);
}

export function remoteBytes({ meta }: Transaction): number {
  const bytes: unknown = meta.get(KEY);
  return typeof bytes === 'number' ? bytes : 0;
}
