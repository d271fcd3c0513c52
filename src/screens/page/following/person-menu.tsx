// The menu of a person's tag in the bar, and the button beside a name in the list of everyone. Their code loads when a
// menu or the list first opens.
import { useContext } from 'react';
import { FaceMenu } from '../../../features/following/face-menu.tsx';
import type { PersonHere } from '../../../features/presence/people-row.tsx';
import { usePage, useValue } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { PageToolsContext } from '../page-tools-context.ts';
import { FollowContext } from './follow-context.ts';
import { usePlaces } from './use-places.ts';

export function PersonMenu({ person: { id, name } }: { readonly person: PersonHere }) {
  const { followed, follow, isPresenting } = useContext(FollowContext);
  const places = usePlaces();
  const presenter = useValue(usePage().presenterAtom);
  const isPresenter = id !== null && presenter?.user === id;
  const heading = id === null || places === null ? null : places.headingOf(id);
  return (
    <FaceMenu
      name={name}
      doing={isPresenter ? 'Presenting' : doingIn(heading)}
      isFollowed={id !== null && id === followed?.user}
      onFollow={
        id === null || isPresenting || places === null ? null : () => follow({ user: id, asPresenter: isPresenter })
      }
      onStop={() => follow(null)}
    />
  );
}

const doingIn = (heading: string | null): string =>
  heading === null ? 'Reading' : heading === '' ? 'At the top of the page' : `In “${heading}”`;

export function FollowButton({ person: { id } }: { readonly person: PersonHere }) {
  const { followed, follow, isPresenting } = useContext(FollowContext);
  const presenter = useValue(usePage().presenterAtom);
  const hasEditor = useContext(PageToolsContext) !== null;
  if (id === null || isPresenting || !hasEditor) return null;
  const isFollowed = id === followed?.user;
  return (
    <Button size="small" onClick={() => follow(isFollowed ? null : { user: id, asPresenter: presenter?.user === id })}>
      {isFollowed ? 'Stop following' : 'Follow'}
    </Button>
  );
}
