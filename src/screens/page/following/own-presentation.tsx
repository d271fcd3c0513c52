// This person presents the open page, until they stop, the server refuses, or someone else presents.
import { useContext, useEffect } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { type Follower, PresentPage } from '../../../features/following/present-page.tsx';
import { usePage, usePerson, useProfiles, useValue } from '../../../state/hooks.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { toast } from '../../../ui/floating/toast.tsx';
import { usePeopleHere } from '../use-people-here.ts';
import { FollowContext } from './follow-context.ts';
import { usePlaces } from './use-places.ts';

export function OwnPresentation() {
  const session = useValue(usePage().sessionAtom);
  return session === null ? null : <Presentation session={session} />;
}

function Presentation({ session }: { readonly session: Session }) {
  const { setPresenting } = useContext(FollowContext);
  const page = usePage();
  const { people, identity } = usePerson();
  const known = useProfiles();
  const { company } = usePeopleHere();
  const presenter = useValue(page.presenterAtom);
  const followers = useValue(page.followersAtom);
  const error = useValue(page.presentErrorAtom);
  const places = usePlaces();
  const other = presenter === null || presenter.isOwn ? null : presenter.user;
  useEffect(() => () => session.stopPresenting(), [session]);
  useEffect(() => {
    // The error may be an earlier one: the session forgets it with the first place.
    const now = session.getView().presentError;
    if (other === null && (error === null || now === null)) return;
    const name = other === null ? null : (known.get(other)?.displayName ?? 'Someone');
    toast(name === null ? textOf(now ?? error ?? { code: 'WF015', detail: '' }) : `${name} is presenting this page.`);
    setPresenting(false);
  }, [session, other, error, known, setPresenting]);
  useEffect(() => {
    if (followers !== null) people.ensureLoaded([...followers.people, ...followers.declined]);
  }, [people, followers]);
  const followerOf = (id: UserId): Follower => {
    const person = company.get(id) ?? known.get(id);
    return {
      id,
      name: person?.displayName ?? 'Someone',
      color: person?.color ?? null,
      picture: person?.avatarPath ?? null,
    };
  };
  if (places === null) return null;
  return (
    <PresentPage
      color={company.get(identity.id)?.color ?? null}
      places={places}
      following={followers?.people.map(followerOf) ?? []}
      byLink={followers?.links ?? 0}
      declined={followers?.declined.map(followerOf) ?? []}
      onPlace={(place) => session.present(place)}
      onStop={() => setPresenting(false)}
    />
  );
}
