// Asks before the selected words are erased for good, says how many other places say the same, and erases them.
import type { Editor } from '@tiptap/core';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { type SelectedLetters, selectedLetters } from '../../editor/changes/selected-letters.ts';
import { PART_NOT_LOADED, textOf } from '../../protocol/errors.ts';
import { usePerson } from '../../state/hooks.ts';
import type { EraseFailure, Erasure, ErasureView } from '../../state/ports/history.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { useOpened } from '../../ui/browser/use-opened.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { QuotedWords } from './quoted-words.tsx';
import './who-wrote.css';

type EraseProps = {
  readonly editor: Editor;
  readonly session: Session;
  readonly onClose: () => void;
};

/** The selection at the moment when the dialog opens. */
export function EraseDialog({ editor, session, onClose }: EraseProps) {
  const [selected] = useState(() => selectedLetters(editor, session.doc));
  if (selected !== null && selected.letters.length > 0) return <EraseSelected {...{ selected, session, onClose }} />;
  return (
    <Dialog title="Erase for good?" size="small" open onOpenChange={onClose}>
      <section>
        <p role="alert">{selected === null ? CHANGED : 'There are no words in what you selected.'}</p>
      </section>
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}

type SelectedProps = Pick<EraseProps, 'session' | 'onClose'> & { readonly selected: SelectedLetters };

function EraseSelected({ selected, session, onClose }: SelectedProps) {
  const [takesCopies, setTakesCopies] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOffline = useSyncExternalStore(session.subscribe, () => session.getView().connection === 'offline');
  const isUnsent = useSyncExternalStore(session.subscribe, () => session.getView().unsent.edits > 0);
  const reason = isOffline ? 'You’re offline. Erasing needs the server.' : isUnsent ? UNSENT : null;
  const { erasure, view } = useErasure(selected, session, reason === null);
  const { words } = selected;
  const erase = async () => {
    if (erasure === null) return;
    setBusy(true);
    setProblem(null);
    const answer = await erasure.erase(takesCopies);
    setBusy(false);
    setProblem(answer.ok ? null : textOfFailure(answer.error));
    if (!answer.ok) return;
    toast('Erased.');
    onClose();
  };
  const copies = view.phase === 'ready' ? (view.copies ?? 0) : 0;
  const isShownAsBox = copies > 0;
  const shown = problem ?? (view.phase === 'failed' && reason === null ? textOfFailure(view.reason) : null);
  return (
    <Dialog title="Erase for good?" size="small" open onOpenChange={(open) => !open && !isBusy && onClose()}>
      <section className="who-wrote">
        <QuotedWords words={words} />
        <p>
          These words leave the page, its history and its versions, and every device when it next syncs. Stars take
          their place. <b>This can’t be undone.</b>
        </p>
        {isShownAsBox && (
          <label className="erase-copies">
            <input
              type="checkbox"
              checked={takesCopies}
              disabled={isBusy}
              onChange={(event) => setTakesCopies(event.currentTarget.checked)}
            />
            Also erase the same words in {placesText(copies)}
          </label>
        )}
        <p className="secondary">
          It doesn’t reach backups, exported files, what people copied elsewhere or haven’t sent yet, names of versions
          and files, link cards and addresses of links. Weft records that you erased something, and when.
        </p>
        {shown !== null && <p role="alert">{shown}</p>}
        <p role="status" className={isShownAsBox && !isBusy && reason === null ? 'sr-only' : undefined}>
          {isBusy ? 'Erasing…' : (reason ?? statusOf(view))}
        </p>
      </section>
      <footer>
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        {view.phase === 'failed' && erasure !== null ? (
          <Button disabled={reason !== null} onClick={() => void erasure.look()}>
            Try again
          </Button>
        ) : (
          <Button
            look="danger"
            disabled={isBusy || reason !== null || view.phase !== 'ready'}
            onClick={() => void erase()}
          >
            Erase for good
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

const READING: ErasureView = { phase: 'reading' };
const NOT_LOADED: ErasureView = { phase: 'failed', reason: 'notLoaded' };

/** Reads the history as soon as it can have the selected words, and as long as the dialog is open. */
function useErasure(
  { letters }: SelectedLetters,
  { documentId }: Session,
  mayLook: boolean,
): { readonly erasure: Erasure | null; readonly view: ErasureView } {
  const { histories } = usePerson();
  const [hasLooked, setLooked] = useState(mayLook);
  if (mayLook && !hasLooked) setLooked(true);
  const open = useCallback(() => histories.openErasure(documentId, letters), [histories, documentId, letters]);
  const { opened: erasure, didFail } = useOpened(hasLooked ? open : null);
  const view = useSyncExternalStore(
    (run) => erasure?.subscribe(run) ?? (() => undefined),
    () => erasure?.getView() ?? READING,
  );
  return { erasure, view: didFail ? NOT_LOADED : view };
}

const CHANGED = 'The page changed just now. Select the words again.';
const UNSENT = 'Some of your edits aren’t saved yet. You can erase when they are.';

function statusOf(view: ErasureView): string {
  if (view.phase === 'reading') return 'Looking for the same words in other places…';
  if (view.phase === 'failed') return '';
  if (view.copies === null) return 'So few letters are erased only where you selected them.';
  return view.copies === 0
    ? 'Nothing else on this page says the same.'
    : `The same words are in ${placesText(view.copies)}.`;
}

const placesText = (count: number) =>
  count === 1 ? '1 other place on this page' : `${count.toLocaleString('en')} other places on this page`;

function textOfFailure(failure: EraseFailure): string {
  if (failure === 'tooSlow') return 'Reading this page’s history takes longer than a tab may work.';
  if (failure === 'notSaved') return 'The server doesn’t have all of these words yet. Try again in a moment.';
  if (failure === 'moreCopies')
    return 'The page changed: more places say the same now. Check the number and erase again.';
  if (failure === 'notLoaded') return PART_NOT_LOADED;
  if (failure === 'failed') return 'The words couldn’t be erased. Try again.';
  if (failure.code === 'WF011') return 'Can’t reach the server. Try again.';
  if (failure.code === 'WF002') return 'Only managers of the page can erase words for good.';
  return failure.code === 'WF005' ? 'The words couldn’t be erased. Try again.' : textOf(failure);
}
