// Others' changes on a page since the last visit of this signed-in person, with names and times.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Session } from 'weft-sync/session/session-api.ts';
import { clockTime } from '../../editor/changes/clock-time.ts';
import type { VisitChanges } from '../../editor/changes/use-change-steps.tsx';
import type { ChangesSince } from '../../ports/changes.ts';
import { usePerson, useValue } from '../../state/hooks.ts';
import { authorName } from '../../state/people/author-name.ts';
import type { Seen } from '../../state/person/visits.ts';
import { useNow } from '../../ui/browser/use-time.ts';

const MINUTE_MS = 60_000;

type OfPage = Pick<Session, 'documentId' | 'subscribe'> & {
  readonly getView: () => Pick<ReturnType<Session['getView']>, 'rebuilds'>;
};

export function useChangesSince(session: OfPage, lastVisit: Seen | null): VisitChanges | null {
  const { documentId } = session;
  // When the page is rebuilt, words may have been erased for good, and what was found before may still have them.
  const rebuilds = useSyncExternalStore(session.subscribe, () => session.getView().rebuilds);
  const { changesSince, identity, people } = usePerson();
  const [answer, setAnswer] = useState<{ readonly changes: ChangesSince | null; readonly rebuilds: number } | null>(
    null,
  );
  useEffect(() => {
    let isCurrent = true;
    if (lastVisit !== null) {
      void changesSince(documentId, lastVisit).then(
        (changes) => isCurrent && setAnswer({ changes, rebuilds }),
        reportError,
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [changesSince, documentId, lastVisit, rebuilds]);
  const found = answer?.rebuilds === rebuilds ? answer.changes : null;
  const known = useValue(people.atom);
  useEffect(() => {
    if (found === null) return;
    const named = [
      ...found.touched.values(),
      ...found.lost,
      ...found.lost.map(({ writer = null }) => ({ by: writer })),
    ];
    people.ensureLoaded(named.flatMap(({ by }) => by ?? []));
  }, [people, found]);
  const now = useNow(MINUTE_MS);
  const gone = useValue(people.goneAtom);
  return useMemo(() => {
    if (found === null) return null;
    const labels = new Map<string, string>();
    for (const [key, { at, by }] of found.touched) {
      const name = by === null ? null : authorName(by, { me: identity.id, people: known, gone });
      const label = [name, at === null ? null : clockTime(at, now)].filter((part) => part !== null).join(' ');
      if (label !== '') labels.set(key, label);
    }
    return { found, labels };
  }, [found, known, gone, identity.id, now]);
}
