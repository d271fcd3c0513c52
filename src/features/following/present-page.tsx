// This person presents: others may follow to where they are. The frame is woven in their own color, and its tab says who
// follows. `Stop` ends it, and Escape does not: that belongs to the text, and must not end a presentation before an
// audience.
import ChevronUp from 'lucide-react/icons/chevron-up';
import Link from 'lucide-react/icons/link';
import Presentation from 'lucide-react/icons/presentation';
import { useEffect, useEffectEvent } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Place } from 'weft-sync/protocol/place.ts';
import type { EditorPlaces } from '../../editor/following/editor-places.ts';
import { Popover } from '../../ui/floating/popover.tsx';
import { FollowFrame } from '../../ui/following/follow-frame.tsx';
import { firstNameOf } from '../../ui/people/first-name.ts';
import { PersonTag } from '../../ui/people/person-tag.tsx';

export type Follower = {
  readonly id: UserId;
  readonly name: string;
  readonly color: string | null;
  readonly picture: string | null;
};

type PresentPageProps = {
  readonly color: string | null;
  readonly places: EditorPlaces;
  readonly following: readonly Follower[];
  /** How many follow by a link. */
  readonly byLink: number;
  readonly declined: readonly Follower[];
  /** Called whenever the own place may have changed. */
  readonly onPlace: (place: Place) => void;
  readonly onStop: () => void;
};

export function PresentPage(props: PresentPageProps) {
  const { color, places, following, byLink, onPlace, onStop } = props;
  useOwnPlace(places, onPlace);
  return (
    <FollowFrame
      kind="present"
      color={color}
      status={
        <>
          <Presentation className="icon" aria-hidden size={18} />
          <span className="truncate">You are presenting</span>
        </>
      }
    >
      <Popover
        label="Following you"
        side="top"
        align="center"
        className="followers"
        trigger={
          <button type="button" className="count">
            {following.length + byLink} following
            <ChevronUp className="icon hide-on-phones" aria-hidden size={14} />
          </button>
        }
      >
        <Followers {...props} />
      </Popover>
      <button type="button" data-solid onClick={onStop}>
        Stop
      </button>
    </FollowFrame>
  );
}

function Followers({ following, byLink, declined }: PresentPageProps) {
  return (
    <>
      <h2>Following you</h2>
      {following.length + byLink === 0 ? (
        <p>No one yet. Everyone on the page has been asked.</p>
      ) : (
        <ul>
          {following.map(({ id, name, color, picture }) => (
            <li key={id}>
              <PersonTag name={name} color={color} picture={picture} size="small" />
              <bdi className="grow truncate">{name}</bdi>
            </li>
          ))}
          {byLink > 0 && (
            <li className="by-link">
              <Link className="icon" aria-hidden size={16} />
              {byLink.toLocaleString('en')} by link
            </li>
          )}
        </ul>
      )}
      {declined.length > 0 && <p>{inWords(declined.map(({ name }) => firstNameOf(name)))} chose not to follow.</p>}
    </>
  );
}

const inWords = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);

function useOwnPlace(places: EditorPlaces, onPlace: (place: Place) => void): void {
  const report = useEffectEvent(() => {
    const place = places.own();
    if (place !== null) onPlace(place);
  });
  useEffect(() => {
    let frame: number | null = null;
    const moved = () => {
      frame ??= requestAnimationFrame(() => {
        frame = null;
        report();
      });
    };
    report();
    const stop = places.subscribe(moved);
    addEventListener('scroll', moved, { capture: true, passive: true });
    addEventListener('resize', moved);
    return () => {
      if (frame !== null) cancelAnimationFrame(frame);
      stop();
      removeEventListener('scroll', moved, { capture: true });
      removeEventListener('resize', moved);
    };
  }, [places]);
}
