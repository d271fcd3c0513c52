// While a page is on the screen: this person has seen what it shows, and the others see whether they edit it.
import { useEffect } from 'react';
import { usePage, usePerson, useValue, useWorkspace } from '../../../state/hooks.ts';
import type { Session } from '../../../sync/session/session-api.ts';

export function useVisit(session: Session): void {
  const { visits } = usePerson();
  const { documentId, pendingAtom } = usePage();
  const { noteEditing } = useWorkspace();
  const isOnServer = useValue(pendingAtom) === null;
  useEffect(() => {
    let last = session.getView().lastN;
    return session.subscribe(() => {
      const { lastN } = session.getView();
      if (lastN !== last) noteEditing();
      last = lastN;
    });
  }, [session, noteEditing]);
  useEffect(() => {
    if (!isOnServer) return;
    const update = () => {
      if (document.visibilityState === 'visible') visits.see(documentId, session.shownSeq);
      else visits.leave(documentId);
    };
    update();
    const stop = session.subscribe(() => document.visibilityState === 'visible' && update());
    document.addEventListener('visibilitychange', update);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', update);
      visits.leave(documentId);
    };
  }, [visits, documentId, session, isOnServer]);
}
