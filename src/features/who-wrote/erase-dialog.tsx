// Asks before the selected words are erased for good, and erases them.
import type { Editor } from '@tiptap/core';
import { useState, useSyncExternalStore } from 'react';
import { selectedLetters } from '../../editor/changes/selected-letters.ts';
import { randomUuid } from '../../lib/random-uuid.ts';
import { textOf } from '../../protocol/errors.ts';
import { usePerson } from '../../state/hooks.ts';
import type { EraseFailure } from '../../state/ports/history.ts';
import type { Session } from '../../sync/session/session-api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import './who-wrote.css';

type EraseProps = {
  readonly editor: Editor;
  readonly session: Session;
  readonly onClose: () => void;
};

const MAX_QUOTED = 240;

/** The selection at the moment when the dialog opens. */
export function EraseDialog({ editor, session, onClose }: EraseProps) {
  const { histories } = usePerson();
  const [selected] = useState(() => selectedLetters(editor, session.doc));
  // The same for each try, because an answer that is lost may be that of an erasure that was done.
  const [id] = useState(randomUuid);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOffline = useSyncExternalStore(session.subscribe, () => session.getView().connection === 'offline');
  const isUnsent = useSyncExternalStore(session.subscribe, () => session.getView().unsent.edits > 0);
  if (selected === null || selected.letters.length === 0) {
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
  const { words, letters } = selected;
  const erase = async () => {
    setBusy(true);
    setProblem(null);
    const failure = await histories.erase(id, session.documentId, letters).then(
      (answer) => (answer.ok ? null : textOfFailure(answer.error)),
      () => 'This didn’t load. Reload the page and try again.',
    );
    setBusy(false);
    setProblem(failure);
    if (failure !== null) return;
    toast('Erased.');
    onClose();
  };
  const reason = isOffline ? 'You’re offline. Erasing needs the server.' : isUnsent ? UNSENT : null;
  return (
    <Dialog title="Erase for good?" size="small" open onOpenChange={(open) => !open && !isBusy && onClose()}>
      <section className="who-wrote">
        <blockquote className="quoted-words" dir="auto">
          {words.length > MAX_QUOTED ? `${words.slice(0, MAX_QUOTED).trimEnd()} …` : words}
        </blockquote>
        <p>
          These words leave the page, its history and its versions, and every device when it next syncs. Copies of them
          on this page go too. Stars take their place. <b>This can’t be undone.</b>
        </p>
        <p className="secondary">
          It doesn’t reach backups, exported files and what people copied elsewhere, nor addresses of links and names of
          files. Weft records that you erased something, and when.
        </p>
        {problem !== null && <p role="alert">{problem}</p>}
        <p role="status">{isBusy ? 'Erasing…' : reason}</p>
      </section>
      <footer>
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" disabled={isBusy || reason !== null} onClick={() => void erase()}>
          Erase for good
        </Button>
      </footer>
    </Dialog>
  );
}

const CHANGED = 'The page changed just now. Select the words again.';
const UNSENT = 'Some of your edits aren’t saved yet. You can erase when they are.';

function textOfFailure(failure: EraseFailure): string {
  if (failure === 'tooSlow') return 'Reading this page’s history takes longer than a tab may work.';
  if (failure === 'notSaved') return 'The server doesn’t have all of these words yet. Try again in a moment.';
  if (failure === 'failed') return 'The words couldn’t be erased. Try again.';
  if (failure.code === 'WF011') return 'Can’t reach the server. Try again.';
  if (failure.code === 'WF002') return 'Only managers of the page can erase words for good.';
  return failure.code === 'WF005' ? 'The words couldn’t be erased. Try again.' : textOf(failure);
}
