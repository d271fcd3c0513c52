// Follows the document of a session beyond rebuilds, which replace it.
import type { Session } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';

/** `onReplaced` runs when another document has taken the place of the followed one. */
export function followDocument(
  session: Pick<Session, 'doc' | 'subscribe'>,
  onTransaction: (transaction: Y.Transaction) => void,
  onReplaced: () => void = () => undefined,
): Cancel {
  let { doc } = session;
  doc.on('afterTransaction', onTransaction);
  const stop = session.subscribe(() => {
    if (session.doc === doc) return;
    doc.off('afterTransaction', onTransaction);
    ({ doc } = session);
    doc.on('afterTransaction', onTransaction);
    onReplaced();
  });
  return () => {
    stop();
    doc.off('afterTransaction', onTransaction);
  };
}
