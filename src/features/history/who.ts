// The people of a page's history: their names, and the colors in which their words are drawn.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import { useCompany, usePerson, useValue } from '../../state/hooks.ts';
import { authorName } from '../../state/people/author-name.ts';
import { firstNameOf } from '../../ui/people/first-name.ts';

export type Who = {
  readonly id: UserId | null;
  /** The form in a sentence: "you", "Ruth Okafor". */
  readonly name: string;
  /** The form on its own: "You", "Ruth". */
  readonly short: string;
  /** The name whose initials their tag shows. */
  readonly initialsOf: string;
  readonly dye: string | null;
  readonly picture: string | null;
};

/** "your", "Ruth’s". */
export const possessive = ({ name, short }: Who): string => (name === 'you' ? 'your' : `${short}’s`);

export type WhoIs = (user: UserId | null) => Who;

/** Someone whose account is gone, or whom the reader may not know. */
export const SOMEONE: Who = { id: null, name: 'someone', short: 'Someone', initialsOf: '?', dye: null, picture: null };

/** A link names no one, so a name beside each block would say nothing. */
export const UNNAMED: Who = { ...SOMEONE, short: '' };

export type PeopleOfHistory = {
  readonly whoIs: WhoIs;
  /** Loads people who come up for the first time. */
  readonly ensureLoaded: (users: readonly (UserId | null)[]) => void;
};

export function usePeopleOfHistory(): PeopleOfHistory {
  const { identity, people } = usePerson();
  const [known, gone] = [useValue(people.atom), useValue(people.goneAtom)];
  const [met, setMet] = useState<readonly UserId[]>([identity.id]);
  useEffect(() => people.ensureLoaded(met), [people, met]);
  const ensureLoaded = useCallback((users: readonly (UserId | null)[]) => {
    setMet((before) => {
      const fresh = new Set(users.filter((user) => user !== null));
      for (const user of before) fresh.delete(user);
      return fresh.size === 0 ? before : [...before, ...fresh];
    });
  }, []);
  const colors = useCompany(met);
  const whoIs = useMemo((): WhoIs => {
    return (user) => {
      if (user === null) return SOMEONE;
      const name = authorName(user, { me: identity.id, people: known, gone });
      const profile = colors.get(user) ?? known.get(user);
      const said = name ?? 'someone';
      return {
        id: user,
        name: said,
        short: said === 'you' ? 'You' : name === null ? 'Someone' : capitalized(firstName(said)),
        initialsOf: profile?.displayName ?? said,
        dye: profile?.color ?? null,
        picture: profile?.avatarPath ?? null,
      };
    };
  }, [colors, known, gone, identity.id]);
  return useMemo(() => ({ whoIs, ensureLoaded }), [whoIs, ensureLoaded]);
}

/** "a guest" and "someone who left" are no names. */
const firstName = (name: string): string => (/^(?:a guest|someone )/.test(name) ? name : firstNameOf(name));

/** "Ilse and you", "Ruth, Ilse and 3 more". */
export function namesOf(people: readonly Who[], most = 3): string {
  const names = Array.from(new Set(people.map(({ short, name }) => (name === 'you' ? 'you' : short))));
  const shown = names.length > most ? [...names.slice(0, most - 1), `${names.length - most + 1} more`] : names;
  const [last] = shown.slice(-1);
  if (last === undefined) return 'no one';
  const said = shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
  return capitalized(said);
}

/** "you", "Ruth". */
export const shortName = (who: Who): string => (who.name === 'you' || who.id === null ? who.name : who.short);
