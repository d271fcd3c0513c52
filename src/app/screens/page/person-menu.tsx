// The menu of a person's tag in the bar, and the button beside a name in the list of everybody. Their code loads when the first
// opens.
import { useContext } from 'react';
import { FaceMenu } from '../../../features/following/face-menu.tsx';
import type { PersonHere } from '../../../features/presence/people-row.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { FollowContext } from './follow-context.ts';
import { usePlaces } from './use-places.ts';

export function PersonMenu({ person: { id, name } }: { readonly person: PersonHere }) {
  const { followed, follow } = useContext(FollowContext);
  const places = usePlaces();
  const heading = id === null || places === null ? null : places.headingOf(id);
  return (
    <FaceMenu
      name={name}
      doing={heading === null ? 'Reading' : heading === '' ? 'At the top of the page' : `In “${heading}”`}
      isFollowed={id !== null && id === followed}
      onFollow={id === null ? null : () => follow(id)}
      onStop={() => follow(null)}
    />
  );
}

export function FollowButton({ person: { id } }: { readonly person: PersonHere }) {
  const { followed, follow } = useContext(FollowContext);
  if (id === null) return null;
  const isFollowed = id === followed;
  return (
    <Button size="small" onClick={() => follow(isFollowed ? null : id)}>
      {isFollowed ? 'Stop following' : 'Follow'}
    </Button>
  );
}
