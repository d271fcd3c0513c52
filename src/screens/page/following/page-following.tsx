// Following and presenting on the open page. Loads when someone else is there or presents, or this person does.
import { useContext, useEffect } from 'react';
import { FollowChoice } from '../../../features/following/follow-choice.tsx';
import { usePeopleHere } from '../use-people-here.ts';
import { AskedToFollow } from './asked-to-follow.tsx';
import { FollowContext } from './follow-context.ts';
import { FollowedPerson } from './followed-person.tsx';
import { OwnPresentation } from './own-presentation.tsx';
import { usePlaces } from './use-places.ts';

export function PageFollowing() {
  const { followed, follow, isPresenting } = useContext(FollowContext);
  const { others } = usePeopleHere();
  const places = usePlaces();
  useEffect(() => () => follow(null), [follow]);
  const people = others.map(({ id, displayName, color, avatarPath }) => ({
    id,
    name: displayName,
    color,
    picture: avatarPath ?? null,
  }));
  if (isPresenting) return <OwnPresentation />;
  // Without an editor, in the safe view, there is no place to follow to.
  if (places === null) return null;
  return (
    <>
      <FollowChoice
        people={people}
        recent={places.recent}
        followed={followed?.user ?? null}
        onFollow={(user) => follow({ user, asPresenter: false })}
      />
      <AskedToFollow />
      {followed !== null && <FollowedPerson key={followed.user} followed={followed} />}
    </>
  );
}
