// The signed-in people who have this page open and may not edit it, as far as the database names them. `elsewhere` has those
// of them who are not on the page's live topic, without this person.
import { useEffect } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Profile } from '../../protocol/answers.ts';
import { usePage, usePerson, useValue } from '../../state/hooks.ts';
import { usePeopleHere } from './use-people-here.ts';

export function useReaders(): { readonly readers: ReadonlySet<UserId>; readonly elsewhere: readonly Profile[] } {
  const { people, identity } = usePerson();
  const watchers = useValue(usePage().watchersAtom);
  const { everyone, company } = usePeopleHere();
  useEffect(() => {
    if (watchers !== null) people.ensureLoaded(watchers.people);
  }, [people, watchers]);
  const elsewhere = (watchers?.people ?? []).flatMap((id) => {
    const person = company.get(id);
    return person === undefined || everyone.has(id) || id === identity.id ? [] : [person];
  });
  return { readers: new Set(watchers?.people), elsewhere };
}
