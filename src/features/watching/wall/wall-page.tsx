// A watched page on a wall (`?wall`): in large type, it scrolls to where someone presents, otherwise to the latest
// change.
import { type RefObject, Suspense, lazy, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Block } from 'weft-document/blocks/block.ts';
import { headingAbove } from 'weft-document/blocks/outline.ts';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import { MAX_READER_UNITS, pageLengthOf } from 'weft-document/body/page-length.ts';
import type { Place } from 'weft-sync/protocol/place.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import { type KeptInView, type PlaceBox, keepInView } from '../../../editor/following/keep-in-view.ts';
import { boxOfBlock, boxOfPlace } from '../../../editor/following/static-places.ts';
import { StaticBody } from '../../../editor/reading/static-body.tsx';
import type { PageFiles } from '../../../ports/files.ts';
import { shownTitle } from '../../../texts/content-texts.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { useFreshText } from '../use-fresh-text.ts';
import { WatchEnded } from '../watch-ended.tsx';
import { useRest } from './use-rest.ts';
import { useWakeLock } from './use-wake-lock.ts';
import { WallFoot } from './wall-foot.tsx';
import '../watching.css';
import './wall.css';

/** A page that is too long to be drawn is read as a list. */
const LongPage = lazy(async () => ({ default: (await import('../long-page.tsx')).LongPage }));

/** The pointer and the full-screen button hide once no one has touched mouse, keyboard or screen for this long. */
const REST_MS = 3_000;

export type WallPageProps = {
  readonly watch: WatchSession;
  /** This device stores the folded toggles under this key. */
  readonly foldsKey: string;
  readonly files: PageFiles | null;
};

export function WallPage({ watch, foldsKey, files }: WallPageProps) {
  const { phase, error } = useSyncExternalStore(watch.subscribe, watch.getView);
  const doc = useSyncExternalStore(watch.subscribe, () => watch.doc);
  const isResting = useRest(REST_MS);
  useWakeLock();
  if (phase === 'ended' || phase === 'failed' || (phase === 'opening' && error !== null)) {
    return (
      <div className="watch">
        <WatchEnded watch={watch} isUnattended />
      </div>
    );
  }
  return (
    <div className="watch wall" data-size="wall" data-resting={isResting || undefined}>
      <Wall watch={watch} doc={doc} foldsKey={foldsKey} files={files} />
    </div>
  );
}

type WallProps = WallPageProps & { readonly doc: Y.Doc };

function Wall({ watch, doc, foldsKey, files }: WallProps) {
  const view = useSyncExternalStore(watch.subscribe, watch.getView);
  const length = pageLengthOf(doc, MAX_READER_UNITS);
  const isTooLong = useSyncExternalStore(length.subscribe, length.get) === 'long';
  const body = bodyViewOf(doc);
  const blocks = useSyncExternalStore(body.subscribe, body.get);
  const article = useRef<HTMLElement>(null);
  const isOpen = view.phase !== 'opening';
  const fresh = useFreshText(blocks, isOpen);
  const changed = fresh.at(-1)?.key ?? null;
  const [latest, setLatest] = useState(changed);
  if (changed !== null && changed !== latest) setLatest(changed);
  const place = view.presenter?.place ?? null;
  useKeptInView(article, blocks, { place, latest, isDrawn: isOpen && !isTooLong });
  const shown = place === null ? latest : (blocks.find(({ id }) => id === place.block)?.key ?? latest);
  const heading = shown === null ? null : headingAbove(blocks, shown);
  const isHeadingAway = useIsAboveWindow(article, heading?.key ?? null);
  if (isTooLong) {
    return (
      <Suspense fallback={null}>
        <LongPage watch={watch} doc={doc} foldsKey={foldsKey} files={files} changes={null} tools={null} />
      </Suspense>
    );
  }
  return (
    <>
      <main>
        {heading !== null && isHeadingAway && (
          <p className="wall-heading" aria-hidden>
            <bdi>{heading.text}</bdi>
          </p>
        )}
        {isOpen ? (
          <article className="page-column" ref={article} role="region" aria-label="Watched page">
            <h1 className="page-title" dir="auto">
              {shownTitle(view.title)}
            </h1>
            <StaticBody blocks={blocks} page={foldsKey} fresh={fresh} files={files} />
          </article>
        ) : (
          <div className="page-column">
            <Skeleton label="Opening the page" widths={['62%', '96%', '88%', '40%']} />
          </div>
        )}
      </main>
      <WallFoot view={view} />
    </>
  );
}

/** Whether the top of the window cuts a block, or is below it. */
function useIsAboveWindow(article: RefObject<HTMLElement | null>, key: string | null): boolean {
  const subscribe = useCallback((run: () => void) => {
    addEventListener('scroll', run, { capture: true, passive: true });
    return () => removeEventListener('scroll', run, { capture: true });
  }, []);
  return useSyncExternalStore(subscribe, () => {
    const box = key === null || article.current === null ? null : boxOfBlock(article.current, key);
    return box !== null && box.top < 0;
  });
}

/** The presenter's place, otherwise the block of the latest change. */
type Target = { readonly place: Place | null; readonly latest: string | null; readonly isDrawn: boolean };

function useKeptInView(
  article: RefObject<HTMLElement | null>,
  blocks: readonly Block[],
  { place, latest, isDrawn }: Target,
) {
  const target = useRef({ blocks, place, latest });
  const kept = useRef<KeptInView>(null);
  // Someone may present while the page still opens.
  const hasTarget = isDrawn && (place !== null || latest !== null);
  useEffect(() => {
    const content = article.current;
    const scroller = document.scrollingElement;
    if (content === null || scroller === null || !hasTarget) return undefined;
    let isPaused = false;
    const boxOf = (): PlaceBox | null => {
      const now = target.current;
      if (isPaused) return null;
      if (now.place !== null) return boxOfPlace(content, now.blocks, now.place);
      return now.latest === null ? null : boxOfBlock(content, now.latest);
    };
    const keeping = keepInView({
      content,
      scroller,
      boxOf,
      // Someone reads elsewhere, until the next change.
      onOwnScroll: () => {
        isPaused = true;
      },
    });
    kept.current = {
      ...keeping,
      changed() {
        isPaused = false;
        keeping.changed();
      },
    };
    return keeping.stop;
  }, [article, hasTarget]);
  useEffect(() => {
    target.current = { blocks, place, latest };
    kept.current?.changed();
  }, [blocks, place, latest]);
}
