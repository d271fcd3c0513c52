// While a page is on the screen: what it shows counts as seen, and the others in the workspace learn when this person edits it.
import { useEffect, useState } from 'react';
import type { Session } from 'weft-sync/session/session-api.ts';
import { usePage, usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import type { Seen } from '../../state/person/visits.ts';

/** The visit before this one; null if there was none, or it is not known yet. It stays the same while the page is open. */
export function useVisit(session: Session): Seen | null {
  const { visits } = usePerson();
  const [last, setLast] = useState<{ readonly visit: Seen | null } | null>(null);
  const { documentId, pendingAtom } = usePage();
  const isOnServer = useValue(pendingAtom) === null;
  useEffect(() => {
    if (!isOnServer) return;
    const update = () => {
      if (document.visibilityState === 'visible') visits.see(documentId, session.shownSeq);
      else visits.leave(documentId);
    };
    // Asked before the first row counts as seen. Only the first answer counts while the page is open.
    void visits.lastVisit(documentId).then((visit) => setLast((known) => known ?? { visit }));
    update();
    const stop = session.subscribe(() => document.visibilityState === 'visible' && update());
    document.addEventListener('visibilitychange', update);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', update);
      visits.leave(documentId);
    };
  }, [visits, documentId, session, isOnServer]);
  return last?.visit ?? null;
}

/** The others in the workspace see that this person edits the page. */
export function useNotedEditing(session: Session): void {
  const { noteEditing } = useWorkspace();
  useEffect(() => {
    let last = session.getView().lastN;
    return session.subscribe(() => {
      const { lastN } = session.getView();
      if (lastN !== last) noteEditing();
      last = lastN;
    });
  }, [session, noteEditing]);
}
