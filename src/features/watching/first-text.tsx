// A watched page as text alone, shown until the app is loaded. The app draws the same in the same place, so nothing moves.
import type { Block } from 'weft-document/blocks/block.ts';
import { textOfBlocks } from 'weft-document/body/body-text.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { StaticBody } from '../../editor/reading/static-body.tsx';
import { err } from '../../lib/result.ts';
import type { PageFiles } from '../../ports/files.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { shownTitle } from '../../texts/content-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { useReadingSettings } from './reading-settings.ts';
import { atTime } from './time-ago.ts';
import { WatchBar } from './watch-bar.tsx';
import { WordCount } from './word-count.tsx';
import './watching.css';

const MINUTE_MS = 60_000;

/** Pictures keep their place until the app loads them. */
const FILES_LATER: PageFiles = {
  document: null,
  watch: () => () => {},
  original: () => Promise.resolve(err(weftError('WF011', 'the app is not loaded yet'))),
};

type FirstTextProps = {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly blocks: readonly Block[];
  /** This device stores the folded toggles under this key. */
  readonly foldsKey: string;
};

export function FirstText({ title, changedAt, blocks, foldsKey }: FirstTextProps) {
  const { size } = useReadingSettings();
  const now = useNow(MINUTE_MS);
  return (
    <div className="watch" data-size={size}>
      <TabTitle title={title} />
      <WatchBar view={{ phase: 'opening', changedAt }} />
      <main>
        <article className="page-column" role="region" aria-label="Watched page">
          <h1 className="page-title" dir="auto">
            {shownTitle(title)}
          </h1>
          <p className="page-meta">
            <span>Last changed {atTime(changedAt, now)}</span>
            <WordCount text={textOfBlocks(blocks)} />
          </p>
          <StaticBody blocks={blocks} page={foldsKey} files={FILES_LATER} />
        </article>
      </main>
    </div>
  );
}
