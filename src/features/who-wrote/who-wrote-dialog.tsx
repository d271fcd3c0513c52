// Says which accounts saved the selected words and when, with links to these moments in the page's history.
import type { Editor } from '@tiptap/core';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { type SelectedText, selectedTexts } from '../../editor/changes/selected-texts.ts';
import { counted } from '../../lib/text/counted.ts';
import { dayAndTime } from '../../lib/text/times.ts';
import type { HistoryView } from '../../ports/history.ts';
import { useAuthorNames, usePerson } from '../../state/hooks.ts';
import { passedOnAs } from '../../state/people/author-name.ts';
import { momentAddress } from '../../state/workspace/page-address.ts';
import { PART_NOT_LOADED } from '../../texts/content-texts.ts';
import { historyTextOf } from '../../texts/error-texts.ts';
import { useOpened } from '../../ui/browser/use-opened.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { QuotedWords } from './quoted-words.tsx';
import { type Writer, type Writers, writersOf } from './writers-of.ts';
import './who-wrote.css';

type WhoWroteProps = {
  readonly editor: Editor;
  readonly session: Session;
  /** The page's path. */
  readonly path: string;
  /** Asks whether to erase the selected words for good; null for people who may not. */
  readonly onErase: (() => void) | null;
  readonly onClose: () => void;
};

/** About the words that were selected when the dialog opened. */
export function WhoWroteDialog({ editor, session, path, onErase, onClose }: WhoWroteProps) {
  const [selected] = useState(() => selectedTexts(editor, session.doc));
  const [attempt, setAttempt] = useState(0);
  const words = selected.map(({ text, from, to }) => text.slice(from, to)).join(' … ');
  if (selected.length === 0) {
    return (
      <Dialog title="Who wrote this?" size="small" open onOpenChange={(open) => !open && onClose()}>
        <section>
          <p>There are no words in what you selected.</p>
        </section>
        <footer>
          <Button onClick={onClose}>Close</Button>
        </footer>
      </Dialog>
    );
  }
  return (
    <Dialog title="Who wrote this?" size="small" open onOpenChange={(open) => !open && onClose()}>
      <section className="who-wrote">
        <QuotedWords words={words} />
        <Answer key={attempt} {...{ selected, session, path }} onRetry={() => setAttempt(attempt + 1)} />
        <p className="secondary">
          Names are those of the accounts that saved the words. Whose words someone passed on can’t be checked. Words
          that were moved or copied within the page keep their first name.
        </p>
      </section>
      {onErase !== null && (
        <footer>
          <Button onClick={onErase}>Erase from history too…</Button>
        </footer>
      )}
    </Dialog>
  );
}

const MINUTE_MS = 60_000;

type AnswerProps = {
  readonly selected: readonly SelectedText[];
  readonly session: Session;
  readonly path: string;
  readonly onRetry: () => void;
};

function Answer({ selected, session, path, onRetry }: AnswerProps) {
  const { found, problem } = useWriters(selected, session);
  if (problem !== null) {
    return (
      <div className="who-wrote-problem">
        <p role="alert">{problem}</p>
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      </div>
    );
  }
  if (found === null) return <p role="status">Reading the history…</p>;
  return (
    <>
      <p className="sr-only" role="status">
        {counted(found.writers.length, 'writer')}
      </p>
      <ul aria-label="Writers">
        {found.writers.map((writer) => (
          <WriterRow
            key={`${writer.by ?? ''} ${String(writer.passedOnFrom)}`}
            isBeginning={writer.last.seq === found.beginningSeq}
            {...{ writer, path }}
          />
        ))}
      </ul>
      {found.unknown > 0 && (
        <p className="secondary">
          {found.writers.length === 0 ? 'These words are' : 'The newest of these words are'} not in the history yet.
        </p>
      )}
    </>
  );
}

type WriterRowProps = {
  readonly writer: Writer;
  /** The words are older than the page's history, which has begun again. */
  readonly isBeginning: boolean;
  readonly path: string;
};

function WriterRow({ writer, isBeginning, path }: WriterRowProps) {
  const { people } = usePerson();
  const authorName = useAuthorNames();
  const now = useNow(MINUTE_MS);
  const { by, passedOnFrom, first, last } = writer;
  useEffect(() => people.ensureLoaded([by, passedOnFrom].filter((one) => one != null)), [people, by, passedOnFrom]);
  const nameOf = (user: UserId | null) => (user === null ? null : authorName(user)) ?? 'someone';
  const [start, end] = [first, last].map(({ at }) => (at === null ? null : dayAndTime(at, now)));
  return (
    <li>
      <span dir="auto" className="who-wrote-name">
        {isBeginning ? 'Written before the page’s history began' : `Saved by ${nameOf(by)}`}
      </span>
      <span className="secondary">
        {start === end ? start : `${start ?? ''} to ${end ?? ''}`}
        {passedOnFrom !== undefined && ` · ${passedOnAs(nameOf(passedOnFrom))}`}
      </span>
      <Link to={momentAddress(path, last.seq)}>Show in history</Link>
    </li>
  );
}

type Found = {
  readonly found: (Writers & { readonly beginningSeq: number | null }) | null;
  readonly problem: string | null;
};

/** Keeps the history open while the dialog is. */
function useWriters(selected: readonly SelectedText[], { documentId }: Session): Found {
  const { histories } = usePerson();
  const open = useCallback(() => histories.open(documentId), [histories, documentId]);
  const { opened: history, didFail } = useOpened(open);
  const [result, setResult] = useState<Found>({ found: null, problem: null });
  const view = useSyncExternalStore(
    (run) => history?.subscribe(run) ?? (() => undefined),
    () => history?.getView() ?? null,
  );
  const head = view?.phase === 'ready' ? view.head : null;
  const beginningSeq = view?.phase === 'ready' ? (view.beginning?.seq ?? null) : null;
  useEffect(() => {
    if (history === null || head === null) return undefined;
    let isCurrent = true;
    void history.authors(head).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setResult({ found: { ...writersOf(selected, answer.value), beginningSeq }, problem: null });
      else setResult({ found: null, problem: answer.error === 'tooSlow' ? TOO_SLOW : FAILED });
    });
    return () => {
      isCurrent = false;
    };
  }, [history, head, beginningSeq, selected]);
  return { found: result.found, problem: didFail ? PART_NOT_LOADED : (result.problem ?? problemOf(view)) };
}

const TOO_SLOW = 'Reading this page’s history takes too long for a browser tab.';
const FAILED = 'The history couldn’t be read.';

function problemOf(view: HistoryView | null): string | null {
  if (view?.phase !== 'failed') return null;
  const { reason } = view;
  if (reason === 'tooSlow') return TOO_SLOW;
  if (typeof reason === 'string') return FAILED;
  return reason.code === 'WF011' ? 'The history needs the server. It isn’t on this device.' : historyTextOf(reason);
}
