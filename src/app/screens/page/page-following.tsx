// Whoever this person follows on the open page. Loads when somebody else is there.
import { useContext, useEffect } from 'react';
import { FollowChoice } from '../../../features/following/follow-choice.tsx';
import { FollowPerson } from '../../../features/following/follow-person.tsx';
import type { UserId } from '../../../protocol/ids.ts';
import { usePage, usePerson, useSettled, useValue } from '../../../state/hooks.ts';
import { toast } from '../../../ui/floating/toast.tsx';
import { firstNameOf } from '../../../ui/people/first-name.ts';
import { FollowContext } from './follow-context.ts';
import { usePeopleHere } from './use-people-here.ts';
import { usePlaces } from './use-places.ts';

/** Somebody who reloads the page is back within this time. */
const RELOAD_MS = 2_500;

export function PageFollowing() {
  const { followed, follow } = useContext(FollowContext);
  const { others } = usePeopleHere();
  const places = usePlaces();
  useEffect(() => () => follow(null), [follow]);
  const people = others.map(({ id, displayName, color, avatarPath }) => ({
    id,
    name: displayName,
    color,
    picture: avatarPath ?? null,
  }));
  return (
    <>
      <FollowChoice people={people} recent={() => places?.recent() ?? []} followed={followed} onFollow={follow} />
      {followed !== null && <Followed key={followed} user={followed} />}
    </>
  );
}

function Followed({ user }: { readonly user: UserId }) {
  const { follow } = useContext(FollowContext);
  const { everyone } = usePeopleHere();
  const { people } = usePerson();
  const known = useValue(people.atom);
  const connection = useValue(usePage().connectionAtom);
  const places = usePlaces();
  const person = everyone.get(user) ?? known.get(user);
  const name = person?.displayName ?? 'Someone';
  // While this device is not connected, nobody is known to be there.
  const isGone = connection === 'live' && !everyone.has(user);
  const hasLeft = useSettled(isGone, RELOAD_MS) && isGone;
  useEffect(() => {
    if (!hasLeft) return;
    toast(`${firstNameOf(name)} left the page.`);
    follow(null);
  }, [hasLeft, name, follow]);
  const page = document.querySelector('#page');
  if (places === null || page === null) return null;
  return (
    <FollowPerson
      person={{ id: user, name, color: person?.color ?? null }}
      presented={null}
      places={places}
      page={page}
      onStop={() => follow(null)}
    />
  );
}
