// The one way to make a Y.Doc that holds rows of the log, whether it is shown, watched or replayed.
import * as Y from 'yjs';
import { FIRST_CLIENT_ID } from '../protocol/ids.ts';

/** Origin of every transaction that brings something from outside. Own edits are `transaction.local`. */
export const REMOTE_ORIGIN = 'row';

/**
 * Yjs answers remote formatted text with a *local* transaction that removes superfluous marks, so a tab where no one
 * typed would write rows (ID1). Yjs sets the flag while observers run and reads it right after `afterTransaction`: this
 * is the moment to clear it.
 */
export function newDoc(clientId?: number): Y.Doc {
  const doc = new Y.Doc();
  if (clientId !== undefined) doc.clientID = clientId;
  doc.on('afterTransaction', (transaction: Y.Transaction) => {
    if (!transaction.local) transaction._needFormattingCleanup = false;
  });
  return doc;
}

/** A new random Yjs client id. `next` gives numbers in [0, 1). */
export function randomClientId(next: () => number): number {
  return FIRST_CLIENT_ID + Math.floor(next() * (2 ** 32 - FIRST_CLIENT_ID));
}
