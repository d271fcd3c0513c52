// This person follows someone: the page keeps that person's caret, or the place they present, in view, inside a frame in
// their color, until this person moves, writes, presses Escape or the other is gone.
import Eye from 'lucide-react/icons/eye';
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Place } from 'weft-sync/protocol/place.ts';
import type { EditorPlaces } from '../../editor/following/editor-places.ts';
import { type KeptInView, keepInView } from '../../editor/following/keep-in-view.ts';
import { onOwnMoves } from '../../editor/following/own-moves.ts';
import { scrollContainerOf } from '../../ui/browser/scroller-of.ts';
import { FollowFrame } from '../../ui/following/follow-frame.tsx';
import { firstNameOf } from '../../ui/people/first-name.ts';

export type PersonToFollow = { readonly id: UserId; readonly name: string; readonly color: string | null };

type FollowPersonProps = {
  readonly person: PersonToFollow;
  /** The place that they present; null while they don't. */
  readonly presented: Place | null;
  readonly places: EditorPlaces;
  /** The page on the screen, with its bar. */
  readonly page: Element;
  readonly onStop: () => void;
};

/** The parts of the page in which a click is no move. */
const AROUND_TEXT = 'header, [data-follow-tab], .follow-card';

export function FollowPerson({ person, presented, places, page, onStop }: FollowPersonProps) {
  const { id, name, color } = person;
  const hasCaret = useSyncExternalStore(places.subscribe, () => places.recent().includes(id));
  const place = useRef(presented);
  const keptInView = useRef<KeptInView>(null);
  const stop = useEffectEvent(onStop);
  useEffect(() => {
    const { content } = places;
    const scroller = scrollContainerOf(content);
    if (scroller === null) return undefined;
    places.showName(id);
    const boxOf = () => (place.current === null ? places.caretBox(id) : places.boxOf(place.current));
    const kept = keepInView({ content, scroller, boxOf, onOwnScroll: () => stop() });
    keptInView.current = kept;
    const stops = [
      kept.stop,
      places.subscribe(kept.changed),
      onOwnMoves({ page, except: AROUND_TEXT, onMove: () => stop(), onEscape: () => stop() }),
    ];
    return () => {
      places.showName(null);
      for (const end of stops) end();
    };
  }, [places, page, id]);
  useEffect(() => {
    place.current = presented;
    keptInView.current?.changed();
  }, [presented]);
  const first = firstNameOf(name);
  return (
    <FollowFrame
      kind="follow"
      color={color}
      status={
        <>
          <Eye className="icon" aria-hidden size={18} />
          <span className="truncate">
            Following <bdi>{first}</bdi>
          </span>
          {!hasCaret && presented === null && (
            <span className="aside">
              <bdi>{first}</bdi> is reading
            </span>
          )}
          <span className="aside hide-on-phones">
            <kbd>Esc</kbd> to stop
          </span>
        </>
      }
    >
      <button type="button" aria-label="Stop following" title="Stop following" data-solid onClick={onStop}>
        Stop
      </button>
    </FollowFrame>
  );
}
