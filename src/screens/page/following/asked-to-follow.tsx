// Someone presents the open page: asks this person once whether they follow, and tells the presenter what they do.
import { useContext, useEffect, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { usePage, usePerson, useProfiles, useValue } from '../../../state/hooks.ts';
import { useSettled } from '../../../ui/browser/use-time.ts';
import { AskedCard } from '../../../ui/following/asked-card.tsx';
import { firstNameOf } from '../../../ui/people/first-name.ts';
import { PersonTag } from '../../../ui/people/person-tag.tsx';
import { usePeopleHere } from '../use-people-here.ts';
import { FollowContext } from './follow-context.ts';

/** After rights have changed the presenter is unknown for a moment: it is still the same presentation. */
const ENDED_AFTER_MS = 4_000;

export function AskedToFollow() {
  const { followed, follow } = useContext(FollowContext);
  const page = usePage();
  const session = useValue(page.sessionAtom);
  const presenter = useValue(page.presenterAtom);
  const { people } = usePerson();
  const known = useProfiles();
  const { company } = usePeopleHere();
  const user = presenter === null || presenter.isOwn ? null : presenter.user;
  const [answer, setAnswer] = useState<{ readonly to: UserId; readonly isDeclined: boolean } | null>(null);
  const hasEnded = useSettled(user === null, ENDED_AFTER_MS) && user === null;
  if (hasEnded && answer !== null) setAnswer(null);
  const doesFollow = user !== null && followed?.user === user;
  const hasAnswered = user !== null && answer?.to === user;
  if (doesFollow && !hasAnswered) setAnswer({ to: user, isDeclined: false });
  const stance = doesFollow ? 'follows' : hasAnswered && answer.isDeclined ? 'declined' : 'none';
  useEffect(() => {
    if (user !== null) people.ensureLoaded([user]);
  }, [people, user]);
  useEffect(() => {
    if (user !== null) session?.setStance(stance);
  }, [session, user, stance]);
  if (user === null || hasAnswered || doesFollow) return null;
  const person = company.get(user) ?? known.get(user);
  const name = person?.displayName ?? 'Someone';
  return (
    <AskedCard
      title={`${firstNameOf(name)} is presenting`}
      note="Asks everyone to follow"
      tag={<PersonTag name={name} color={person?.color ?? null} picture={person?.avatarPath} />}
      onDecline={() => setAnswer({ to: user, isDeclined: true })}
      onFollow={() => {
        setAnswer({ to: user, isDeclined: false });
        follow({ user, asPresenter: true });
      }}
    />
  );
}
