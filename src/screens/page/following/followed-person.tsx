// The person whom this person follows, with name and color; the following ends when they leave, or stop presenting.
import { useContext, useEffect } from 'react';
import { FollowPerson } from '../../../features/following/follow-person.tsx';
import { usePage, useProfiles, useValue } from '../../../state/hooks.ts';
import { useSettled } from '../../../ui/browser/use-time.ts';
import { toast } from '../../../ui/floating/toast.tsx';
import { firstNameOf } from '../../../ui/people/first-name.ts';
import { usePeopleHere } from '../use-people-here.ts';
import { type Followed, FollowContext } from './follow-context.ts';
import { usePlaces } from './use-places.ts';

/** Someone who reloads the page is back within this time, and after rights have changed the presenter is named again. */
const BACK_WITHIN_MS = 2_500;

export function FollowedPerson({ followed: { user, asPresenter } }: { readonly followed: Followed }) {
  const { follow } = useContext(FollowContext);
  const { everyone, company } = usePeopleHere();
  const known = useProfiles();
  const connection = useValue(usePage().connectionAtom);
  const presenter = useValue(usePage().presenterAtom);
  const places = usePlaces();
  const person = company.get(user) ?? known.get(user);
  const name = person?.displayName ?? 'Someone';
  const isPresenter = presenter !== null && presenter.user === user;
  // While this device is not connected, no one is known to be there.
  const isGone = connection === 'live' && !isPresenter && !everyone.has(user);
  const hasLeft = useSettled(isGone, BACK_WITHIN_MS) && isGone;
  const hasEnded = useSettled(asPresenter && !isPresenter, BACK_WITHIN_MS) && asPresenter && !isPresenter;
  useEffect(() => {
    if (!hasLeft && !hasEnded) return;
    toast(`${firstNameOf(name)} ${hasEnded ? 'stopped presenting' : 'left the page'}.`);
    follow(null);
  }, [hasLeft, hasEnded, name, follow]);
  const page = document.querySelector('#page');
  if (places === null || page === null) return null;
  return (
    <FollowPerson
      person={{ id: user, name, color: person?.color ?? null }}
      presented={isPresenter ? presenter.place : null}
      places={places}
      page={page}
      onStop={() => follow(null)}
    />
  );
}
