// F follows someone on this page. If there are several, or someone is followed already, it opens a menu, with the
// person who moved last on top: F and Enter follow them.
import { useEffect, useEffectEvent, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { MenuAtPoint, MenuItem, MenuLabel } from '../../ui/floating/menu.tsx';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import type { PersonToFollow } from './follow-person.tsx';

type FollowChoiceProps = {
  readonly people: readonly (PersonToFollow & { readonly picture: string | null })[];
  /** The people with a caret: the one who moved last comes first. */
  readonly recent: () => readonly UserId[];
  readonly followed: UserId | null;
  readonly onFollow: (user: UserId) => void;
};

/** The tags of the people in the bar: the menu opens there. */
const PEOPLE_ROW = '.people-row';

export function FollowChoice({ people, recent, followed, onFollow }: FollowChoiceProps) {
  const [order, setOrder] = useState<readonly UserId[] | null>(null);
  const choose = useEffectEvent(() => {
    const others = people.filter(({ id }) => id !== followed);
    const [only] = others;
    if (only === undefined) return false;
    if (others.length === 1 && followed === null) onFollow(only.id);
    else setOrder(recent());
    return true;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isFollowKey(event) && choose()) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const rank = ({ id }: PersonToFollow) => {
    const at = order?.indexOf(id) ?? -1;
    return at < 0 ? people.length : at;
  };
  const isOpen = order !== null;
  return (
    <MenuAtPoint
      label="Follow"
      open={isOpen}
      onOpenChange={(open) => !open && setOrder(null)}
      anchor={isOpen ? document.querySelector(PEOPLE_ROW) : null}
      returnFocusTo={() => null}
    >
      <MenuLabel>Follow</MenuLabel>
      {people
        .filter(({ id }) => id !== followed)
        .toSorted((a, b) => rank(a) - rank(b))
        .map((person) => (
          <MenuItem
            key={person.id}
            icon={<PersonTag name={person.name} color={person.color} picture={person.picture} size="small" />}
            onSelect={() => onFollow(person.id)}
          >
            <bdi className="truncate">{person.name}</bdi>
          </MenuItem>
        ))}
    </MenuAtPoint>
  );
}

function isFollowKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isComposing(event)) return false;
  if (event.key.toLowerCase() !== 'f' || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  const { target } = event;
  // In an open menu, and in the tree, a typed character searches.
  return (
    !(target instanceof HTMLElement) ||
    (!target.isContentEditable &&
      target.closest('input, textarea, select, [role="menu"], [role="dialog"], [role="treegrid"]') === null)
  );
}
