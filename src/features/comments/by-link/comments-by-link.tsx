// The comments of a page behind a link, for reading: a button in the bar, the words in the text, and the threads beside or below it.
import MessageSquare from 'lucide-react/icons/message-square';
import { useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type * as Y from 'yjs';
import type { PageFiles } from '../../../ports/files.ts';
import type { ThreadId } from '../../../protocol/ids.ts';
import type { LinkCommentsState } from '../../../state/comments/link-comments.ts';
import { ReadPanel } from './read-panel.tsx';
import { StaticMarks } from './static-marks.ts';
import { revealPlace } from './static-places.ts';
import '../comments-button.css';
import '../comments.css';
import './by-link.css';

type CommentsByLinkProps = {
  readonly comments: LinkCommentsState;
  readonly doc: Y.Doc;
  readonly files: PageFiles | null;
};

export function CommentsByLink({ comments, doc, files }: CommentsByLinkProps) {
  const { phase, threads } = useSyncExternalStore(comments.subscribe, comments.getView);
  const [isShown, setShown] = useState(false);
  const [showsResolved, setShowsResolved] = useState(false);
  const [chosen, setChosen] = useState<ThreadId | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const marks = useMemo(() => new StaticMarks(doc), [doc]);
  const places = useSyncExternalStore(marks.subscribe, marks.get);
  const openThreads = threads.filter(({ resolved }) => resolved === null);
  const listed = showsResolved ? threads : openThreads;
  const active = isShown ? chosen : null;
  useEffect(() => marks.show(listed, active), [marks, listed, active]);
  const click = useEffectEvent((event: MouseEvent) => {
    const thread = getSelection()?.isCollapsed === false ? null : marks.threadAt(event);
    if (thread === null) return;
    setShown(true);
    setChosen(thread);
  });
  useEffect(() => {
    const onClick = (event: MouseEvent) => click(event);
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);
  if (phase !== 'ready') return null;
  const rankOf = (id: ThreadId) => places.get(id)?.rank ?? Number.MAX_SAFE_INTEGER;
  const panel = (
    <ReadPanel
      threads={listed.toSorted((a, b) => rankOf(a.id) - rankOf(b.id))}
      places={places}
      files={files}
      active={active}
      openCount={openThreads.length}
      count={threads.length}
      showsResolved={showsResolved}
      onShowResolved={setShowsResolved}
      onGoTo={(id) => {
        setChosen(id);
        revealPlace(places.get(id));
      }}
      onClose={() => {
        setShown(false);
        button.current?.focus();
      }}
    />
  );
  return (
    <>
      <button
        ref={button}
        type="button"
        className="comments-button"
        title="Comments"
        aria-label={`Comments: ${openThreads.length} open`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        <MessageSquare className="icon" />
        {openThreads.length > 0 && <span className="tabular">{openThreads.length}</span>}
      </button>
      {isShown && createPortal(panel, document.body)}
    </>
  );
}
