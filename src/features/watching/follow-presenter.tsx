// When someone presents the watched page: asks this watcher whether to follow, and if so, keeps the presenter's place
// in view.
import Eye from 'lucide-react/icons/eye';
import Presentation from 'lucide-react/icons/presentation';
import { type RefObject, useContext, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Block } from 'weft-document/blocks/block.ts';
import type { Place } from 'weft-sync/protocol/place.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import { type KeptInView, keepInView } from '../../editor/following/keep-in-view.ts';
import { onOwnMoves } from '../../editor/following/own-moves.ts';
import { boxOfPlace } from '../../editor/following/static-places.ts';
import { useSettled } from '../../ui/browser/use-time.ts';
import { AskedCard } from '../../ui/following/asked-card.tsx';
import { FollowFrame } from '../../ui/following/follow-frame.tsx';
import { firstNameOf } from '../../ui/people/first-name.ts';
import { PersonTag } from '../../ui/people/person-tag.tsx';
import { PresenterContext } from './presenter-name.ts';

export type FollowPresenterProps = {
  readonly watch: WatchSession;
  readonly article: RefObject<HTMLElement | null>;
  readonly blocks: readonly Block[];
  /** Called when the watcher follows, to stop what else scrolls the page. */
  readonly onFollow: (() => void) | undefined;
};

/** The presenter is unknown for a moment after the connection was lost, or rights have changed. */
const ENDED_AFTER_MS = 4_000;

export function FollowPresenter({ watch, article, blocks, onFollow }: FollowPresenterProps) {
  const { presenter } = useSyncExternalStore(watch.subscribe, watch.getView);
  const person = useContext(PresenterContext);
  const [answer, setAnswer] = useState<'none' | 'follows' | 'declined' | 'left'>('none');
  const isOver = presenter === null || presenter.isOwn;
  const hasEnded = useSettled(isOver, ENDED_AFTER_MS) && isOver;
  if (hasEnded && answer !== 'none') setAnswer('none');
  const stance = isOver || answer === 'left' ? 'none' : answer;
  useEffect(() => watch.setStance(stance), [watch, stance]);
  const name = person === null ? 'An editor' : firstNameOf(person.name);
  if (answer === 'follows') {
    return (
      <FollowFrame
        kind="follow"
        color={person?.color ?? null}
        status={
          <>
            <Eye className="icon" aria-hidden size={18} />
            <span className="truncate">Following {person === null ? 'the presenter' : <bdi>{name}</bdi>}</span>
            <span className="aside hide-on-phones">
              <kbd>Esc</kbd> to stop
            </span>
          </>
        }
      >
        {presenter?.place != null && (
          <KeepPlace article={article} blocks={blocks} place={presenter.place} onStop={() => setAnswer('left')} />
        )}
        <button
          type="button"
          aria-label="Stop following"
          title="Stop following"
          data-solid
          onClick={() => setAnswer('left')}
        >
          Stop
        </button>
      </FollowFrame>
    );
  }
  if (isOver || answer !== 'none') return null;
  return (
    <AskedCard
      title={`${name} is presenting`}
      note="Asks everyone to follow"
      tag={
        person === null ? (
          <Presentation className="icon" aria-hidden size={18} />
        ) : (
          <PersonTag name={person.name} color={person.color} picture={person.picture} />
        )
      }
      onDecline={() => setAnswer('declined')}
      onFollow={() => {
        onFollow?.();
        setAnswer('follows');
      }}
    />
  );
}

type KeepPlaceProps = Pick<FollowPresenterProps, 'article' | 'blocks'> & {
  readonly place: Place;
  readonly onStop: () => void;
};

function KeepPlace({ article, blocks, place, onStop }: KeepPlaceProps) {
  const target = useRef({ blocks, place });
  const kept = useRef<KeptInView>(null);
  const stop = useEffectEvent(onStop);
  useEffect(() => {
    const content = article.current;
    const [page, scroller] = [content?.parentElement, document.scrollingElement];
    if (content === null || page == null || scroller === null) return undefined;
    const boxOf = () => boxOfPlace(content, target.current.blocks, target.current.place);
    const keeping = keepInView({ content, scroller, boxOf, onOwnScroll: () => stop() });
    kept.current = keeping;
    const stopMoves = onOwnMoves({ page, except: '[data-follow-tab]', onMove: () => stop(), onEscape: () => stop() });
    return () => {
      keeping.stop();
      stopMoves();
    };
  }, [article]);
  useEffect(() => {
    target.current = { blocks, place };
    kept.current?.changed();
  }, [blocks, place]);
  return null;
}
