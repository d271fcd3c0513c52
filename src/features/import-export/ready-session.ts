// Waits until a page that was just opened can be read and written.
import type { Session } from 'weft-sync/session/session-api.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import type { PersonState } from '../../state/person/person-state.ts';

const READY_WITHIN_MS = 20_000;

/** Resolves with null when the page does not open in time. */
export function readySession(page: OpenPage, store: PersonState['store']): Promise<Session | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(null), READY_WITHIN_MS);
    const check = () => {
      const session = store.get(page.sessionAtom);
      if (session !== null && store.get(page.phaseAtom) === 'ready') finish(session);
    };
    const unsubscribes = [store.sub(page.sessionAtom, check), store.sub(page.phaseAtom, check)];
    const finish = (session: Session | null) => {
      clearTimeout(timer);
      for (const stop of unsubscribes) stop();
      resolve(session);
    };
    check();
  });
}
