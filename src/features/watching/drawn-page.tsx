// A watched page as it is drawn, with the tools for its reader.
import ArrowDown from 'lucide-react/icons/arrow-down';
import LocateFixed from 'lucide-react/icons/locate-fixed';
import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import { headingAbove } from 'weft-document/blocks/outline.ts';
import { textOfBlocks } from 'weft-document/body/body-text.ts';
import { bodyViewOf } from 'weft-document/body/body-view.ts';
import type { FreshText } from 'weft-document/body/fresh-text.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import type * as Y from 'yjs';
import { scrollToChange, stepElement } from '../../editor/changes/show-step.ts';
import { type VisitChanges, useChangeSteps } from '../../editor/changes/use-change-steps.tsx';
import { StaticBody } from '../../editor/reading/static-body.tsx';
import type { PageFiles } from '../../ports/files.ts';
import { shownTitle } from '../../texts/content-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ChangeAnnouncer } from './change-announcer.tsx';
import { copyClean } from './copy-clean.ts';
import { PresenterSlot } from './presenter-slot.tsx';
import { ReadingMenu, WatchOutline } from './reading-menu.tsx';
import { useReadingSettings } from './reading-settings.ts';
import { atTime } from './time-ago.ts';
import { useFollowChanges } from './use-follow-changes.ts';
import { useFreshText } from './use-fresh-text.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { useWhileUnselected } from './use-while-unselected.ts';
import { WatchBar } from './watch-bar.tsx';
import { WordCount } from './word-count.tsx';

export type PageOfDocumentProps = {
  readonly watch: WatchSession;
  readonly doc: Y.Doc;
  /** This device stores the folded toggles under this key. */
  readonly foldsKey: string;
  readonly files: PageFiles | null;
  /** The changes since the reader’s last visit. */
  readonly changes: VisitChanges | null;
  /** At the end of the bar. */
  readonly tools: ReactNode;
};

const MINUTE_MS = 60_000;
const NOTHING_FRESH: readonly FreshText[] = [];

export function DrawnPage({ watch, doc, foldsKey, files, changes, tools }: PageOfDocumentProps) {
  const view = useSyncExternalStore(watch.subscribe, watch.getView);
  const body = bodyViewOf(doc);
  const blocks = useSyncExternalStore(body.subscribe, body.get);
  const article = useRef<HTMLElement>(null);
  const isOpen = view.phase !== 'opening';
  const now = useNow(MINUTE_MS);
  const { marksNewWords } = useReadingSettings();
  const fresh = useFreshText(blocks, isOpen);
  useScrollAnchor(article);
  const follow = useFollowChanges(article, fresh);
  const goToStep = (step: number, key: string) => scrollToChange(stepElement(article.current, step, key));
  const { shown, stepper } = useChangeSteps(useWhileUnselected(changes, article), blocks, goToStep);
  const goToBlock = (key: string) =>
    article.current?.querySelector(`[data-key="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'start' });
  return (
    <>
      <WatchBar view={view}>
        {isOpen && (
          <Button
            look="plain"
            className="follow"
            aria-label="Follow changes"
            aria-pressed={follow.isOn}
            onClick={follow.toggle}
          >
            <LocateFixed className="icon" aria-hidden size={16} />
            <span className="hide-on-phones">Follow changes</span>
          </Button>
        )}
        {isOpen && <ReadingMenu blocks={blocks} onGoTo={goToBlock} />}
        {tools}
      </WatchBar>
      <main>
        {isOpen ? (
          <article className="page-column" ref={article} role="region" aria-label="Watched page" onCopy={copyClean}>
            <h1 className="page-title" dir="auto">
              {shownTitle(view.title)}
            </h1>
            <p className="page-meta">
              {view.changedAt !== null && <span>Last changed {atTime(view.changedAt, now)}</span>}
              <WordCount text={textOfBlocks(blocks)} />
            </p>
            <ChangeAnnouncer fresh={fresh} blocks={blocks} />
            <StaticBody
              blocks={blocks}
              page={foldsKey}
              fresh={marksNewWords ? fresh : NOTHING_FRESH}
              files={files}
              changes={shown}
            />
          </article>
        ) : (
          <div className="page-column">
            <Skeleton label="Opening the page" widths={['62%', '96%', '88%', '40%']} />
          </div>
        )}
        {isOpen && <WatchOutline blocks={blocks} onGoTo={goToBlock} />}
        {stepper}
      </main>
      <PresenterSlot {...{ watch, article, blocks }} onFollow={follow.isOn ? follow.toggle : undefined} />
      {follow.unseen !== null && (
        <Button className="jump" onClick={follow.show}>
          <ArrowDown className="icon" aria-hidden size={16} />
          {changedIn(headingAbove(blocks, follow.unseen)?.text)}
        </Button>
      )}
    </>
  );
}

const changedIn = (heading: string | undefined) =>
  heading === undefined ? 'Changed elsewhere' : `Changed in “${heading}”`;
