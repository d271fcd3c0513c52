// The members who only read this page: those on it, and those who watch it elsewhere.
import { useEffect, useState } from 'react';
import type { Profile } from '../../../protocol/answers.ts';
import type { UserId } from '../../../protocol/ids.ts';
import { usePage, usePerson, useValue } from '../../../state/hooks.ts';
import { usePeopleHere } from './use-people-here.ts';

const NOBODY: ReadonlySet<UserId> = new Set();

export function useReaders(): { readonly readers: ReadonlySet<UserId>; readonly elsewhere: readonly Profile[] } {
  const page = usePage();
  const { people, identity } = usePerson();
  const known = useValue(people.atom);
  const watchers = useValue(page.watchersAtom);
  const isLed = useValue(page.presenterAtom) !== null;
  const { everyone } = usePeopleHere();
  const [{ of, readers }, setReaders] = useState({ of: watchers, readers: NOBODY });
  // While somebody presents, the watchers are also those who may edit and follow.
  if (of !== watchers && !isLed) setReaders({ of: watchers, readers: new Set(watchers?.people) });
  useEffect(() => {
    if (watchers !== null) people.ensureLoaded(watchers.people);
  }, [people, watchers]);
  const elsewhere = (watchers?.people ?? []).flatMap((id) => {
    const person = known.get(id);
    return person === undefined || everyone.has(id) || id === identity.id ? [] : [person];
  });
  return { readers, elsewhere };
}
