// A page to watch: live and read-only, by a link without an account or as a member.
import { ArrowDown, ALargeSmall, LocateFixed } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type * as Y from 'yjs';
import { bodyViewOf } from '../../document/body/body-view.ts';
import { countWords, textOfBlocks } from '../../document/body/body-text.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { MAX_READER_UNITS, pageLengthOf } from '../../document/body/page-length.ts';
import { plainBodyOf } from '../../document/body/plain-body.ts';
import { headingAbove } from '../../document/blocks/outline.ts';
import { PlainList } from '../../editor/reading/plain-list.tsx';
import { StaticBody } from '../../editor/reading/static-body.tsx';
import { ERROR_TEXTS, textOf } from '../../protocol/errors.ts';
import type { PageFiles } from '../../state/ports/files.ts';
import { useNow } from '../../state/hooks.ts';
import type { WatchSession } from '../../sync/session/session-api.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Logo } from '../../ui/mark/logo.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Standalone } from '../../ui/feedback/standalone.tsx';
import { atTime } from './time-ago.ts';
import { LiveBadge } from './live-badge.tsx';
import { useFollowChanges } from './use-follow-changes.ts';
import { useFreshText } from './use-fresh-text.ts';
import { ChangeAnnouncer } from './change-announcer.tsx';
import './watching.css';

type WatchPageProps = {
  readonly watch: WatchSession;
  /** This device stores the folded toggles under this key: the page's id where it is known. */
  readonly foldsKey: string;
  /** The source of the page's pictures and files. */
  readonly files?: PageFiles | null;
  /** Shown at the end of the bar: theme, sign-in. */
  readonly actions?: ReactNode;
};

const MINUTE_MS = 60_000;

const TEXT_SIZES = ['normal', 'large', 'larger'] as const;

export function WatchPage({ watch, foldsKey, files = null, actions }: WatchPageProps) {
  const { phase, error } = useSyncExternalStore(watch.subscribe, watch.getView);
  const [size, setSize] = useState(0);
  const tools = (
    <>
      <IconButton label="Text size" onClick={() => setSize((size + 1) % TEXT_SIZES.length)}>
        <ALargeSmall className="icon" aria-hidden size={18} />
      </IconButton>
      {actions}
    </>
  );
  return (
    <div className="watch" data-size={TEXT_SIZES[size]}>
      {phase === 'ended' || phase === 'failed' || (phase === 'opening' && error !== null) ? (
        <WatchEnded watch={watch} />
      ) : (
        <Watched watch={watch} foldsKey={foldsKey} files={files} tools={tools} />
      )}
    </div>
  );
}

type WatchedProps = {
  readonly watch: WatchSession;
  readonly foldsKey: string;
  readonly files: PageFiles | null;
  readonly tools: ReactNode;
};

function Watched(props: WatchedProps) {
  const { watch } = props;
  // A rebuild replaces the document (L6).
  const doc = useSyncExternalStore(watch.subscribe, () => watch.doc);
  const length = pageLengthOf(doc, MAX_READER_UNITS);
  const isTooLong = useSyncExternalStore(length.subscribe, length.get) === 'long';
  return isTooLong ? <LongPage doc={doc} {...props} /> : <DrawnPage doc={doc} {...props} />;
}

type PageOfDocumentProps = WatchedProps & { readonly doc: Y.Doc };

/** A page that is too long to be drawn: its text, a part at a time. */
function LongPage({ watch, doc, tools }: PageOfDocumentProps) {
  const view = useSyncExternalStore(watch.subscribe, watch.getView);
  const plain = plainBodyOf(doc);
  const body = useSyncExternalStore(plain.subscribe, plain.get);
  const [part, setPart] = useState(0);
  return (
    <>
      <header className="watch-bar">
        <Logo />
        <LiveBadge phase={view.phase} changedAt={view.changedAt} />
        <span className="grow" />
        {tools}
      </header>
      <main>
        <article className="page-column" role="region" aria-label="Watched page">
          <h1 className="page-title" dir="auto">
            {view.title === '' ? 'Untitled' : view.title}
          </h1>
          <p className="page-meta">
            This page is too long to be drawn, so it is shown as plain text: {body.count.toLocaleString('en')} blocks.
          </p>
          <PlainList
            body={body}
            part={part}
            actions={null}
            onPart={(next) => {
              setPart(next);
              scrollTo({ top: 0 });
            }}
          />
        </article>
      </main>
    </>
  );
}

function DrawnPage({ watch, doc, foldsKey, files, tools }: PageOfDocumentProps) {
  const view = useSyncExternalStore(watch.subscribe, watch.getView);
  const body = bodyViewOf(doc);
  const blocks = useSyncExternalStore(body.subscribe, body.get);
  const article = useRef<HTMLElement>(null);
  const isOpen = view.phase !== 'opening';
  const now = useNow(MINUTE_MS);
  const fresh = useFreshText(blocks, isOpen);
  const follow = useFollowChanges(article, fresh);
  return (
    <>
      <header className="watch-bar">
        <Logo />
        <LiveBadge phase={view.phase} changedAt={view.changedAt} />
        <span className="grow" />
        {isOpen && (
          <Button look="plain" className="follow" aria-pressed={follow.isOn} onClick={follow.toggle}>
            <LocateFixed className="icon" aria-hidden size={16} />
            <span className="hide-on-phones">Follow changes</span>
          </Button>
        )}
        {tools}
      </header>
      <main>
        {isOpen ? (
          <article className="page-column" ref={article} role="region" aria-label="Watched page">
            <h1 className="page-title" dir="auto">
              {view.title === '' ? 'Untitled' : view.title}
            </h1>
            <p className="page-meta">
              {view.changedAt !== null && <span>Last changed {atTime(view.changedAt, now)}</span>}
              <WordCount text={textOfBlocks(blocks)} />
            </p>
            <ChangeAnnouncer fresh={fresh} blocks={blocks} />
            <StaticBody blocks={blocks} page={foldsKey} fresh={fresh} files={files} />
          </article>
        ) : (
          <div className="page-column">
            <Skeleton label="Opening the page" widths={['62%', '96%', '88%', '40%']} />
          </div>
        )}
      </main>
      {follow.unseen !== null && (
        <Button className="jump" onClick={follow.show}>
          <ArrowDown className="icon" aria-hidden size={16} />
          {changedIn(headingAbove(blocks, follow.unseen)?.text)}
        </Button>
      )}
    </>
  );
}

/**
 * The link was revoked, has expired, or never existed: the page's content leaves the screen. Or nothing of the page is here
 * yet, and the server does not answer.
 */
function WatchEnded({ watch }: { readonly watch: WatchSession }) {
  const { phase, error } = useSyncExternalStore(watch.subscribe, watch.getView);
  const isOver = phase === 'ended' || error === null;
  return (
    <Standalone
      title={isOver ? ERROR_TEXTS.WF009 : textOf(error)}
      actions={!isOver && <Button onClick={() => watch.retry()}>Try now</Button>}
    >
      {isOver && <p>If someone sent you the address, ask them for a new one.</p>}
    </Standalone>
  );
}

function WordCount({ text }: { readonly text: string }) {
  const [words, setWords] = useState<number | null>(null);
  useEffect(() => {
    const steps = countWords(text);
    let isCurrent = true;
    void inSteps(steps).then((count) => {
      if (isCurrent) setWords(count);
    });
    return () => {
      isCurrent = false;
      // Ends the counting too.
      steps.return(0);
    };
  }, [text]);
  if (words === null) return null;
  return <span>{words === 1 ? '1 word' : `${words.toLocaleString('en')} words`}</span>;
}

const changedIn = (heading: string | undefined) =>
  heading === undefined ? 'Changed above' : `Changed in “${heading}”`;
