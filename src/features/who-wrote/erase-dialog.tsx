// Asks before the selected words are erased for good, says how many other places have the same words, and erases what
// was chosen.
import type { Editor } from '@tiptap/core';
import { useRef, useState, useSyncExternalStore } from 'react';
import { copiesOf } from 'weft-document/history/erased-page.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { type SelectedCharacters, selectedCharacters } from '../../editor/changes/selected-characters.ts';
import { type Result, err } from '../../lib/result.ts';
import { counted } from '../../lib/text/counted.ts';
import type { EraseFailure, EraseWords } from '../../ports/history.ts';
import { usePerson } from '../../state/hooks.ts';
import { PART_NOT_LOADED } from '../../texts/content-texts.ts';
import { textOf } from '../../texts/error-texts.ts';
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

/** About the words that were selected when the dialog opened. */
export function EraseDialog({ editor, session, onClose }: EraseProps) {
  const [selected] = useState(() => selectedCharacters(editor, session.doc));
  if (selected !== null && selected.characters.length > 0) return <EraseSelected {...{ selected, session, onClose }} />;
  return (
    <Dialog title="Erase from history too?" size="small" open onOpenChange={onClose}>
      <section>
        <p role="alert">{selected === null ? CHANGED : 'There are no words in what you selected.'}</p>
      </section>
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  );
}

type SelectedProps = Pick<EraseProps, 'session' | 'onClose'> & { readonly selected: SelectedCharacters };

function EraseSelected({ selected, session, onClose }: SelectedProps) {
  const { characters, words } = selected;
  const { documentId } = session;
  const { histories } = usePerson();
  const [copies] = useState(() => copiesOf(session.doc, characters));
  const [takesCopies, setTakesCopies] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** Kept for another try: it repeats a call whose answer was lost. */
  const eraser = useRef<EraseWords | null>(null);
  const isOffline = useSyncExternalStore(session.subscribe, () => session.getView().connection === 'offline');
  const isUnsent = useSyncExternalStore(session.subscribe, () => session.getView().unsent.edits > 0);
  const reason = isOffline ? 'You’re offline. Erasing needs the server.' : isUnsent ? UNSENT : null;
  const places = copies?.places ?? 0;
  const erase = async () => {
    setBusy(true);
    setProblem(null);
    const load = async () => (eraser.current ??= await histories.eraser(documentId, characters));
    const answer = await eraseWith(load, places > 0 && takesCopies);
    setBusy(false);
    setProblem(answer.ok ? null : textOfFailure(answer.error));
    if (!answer.ok) return;
    toast('Erased.');
    onClose();
  };
  return (
    <Dialog title="Erase from history too?" size="small" open onOpenChange={(open) => !open && !isBusy && onClose()}>
      <section className="who-wrote">
        <QuotedWords words={words} />
        <p>
          These words leave the page, and every device when it next syncs. The page’s history starts again today: its
          versions go, its authors stay listed. <b>This can’t be undone.</b>
        </p>
        {places > 0 && (
          <label className="erase-copies">
            <input
              type="checkbox"
              checked={takesCopies}
              disabled={isBusy}
              onChange={(event) => setTakesCopies(event.currentTarget.checked)}
            />
            Also erase the same words in {placesText(places)}
          </label>
        )}
        <p className="secondary">
          It doesn’t reach backups, exported files, what people copied elsewhere or haven’t sent yet, names of files,
          link cards and addresses of links. Weft records that you erased something, and when.
        </p>
        {problem !== null && <p role="alert">{problem}</p>}
        <p role="status" className={places > 0 && !isBusy && reason === null ? 'sr-only' : undefined}>
          {isBusy ? 'Erasing…' : (reason ?? copiesText(copies?.places ?? null))}
        </p>
      </section>
      <footer>
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button look="danger" disabled={isBusy || reason !== null} onClick={() => void erase()}>
          Erase from history too
        </Button>
      </footer>
    </Dialog>
  );
}

async function eraseWith(load: () => Promise<EraseWords>, withCopies: boolean): Promise<Result<void, EraseFailure>> {
  let eraser: EraseWords;
  try {
    eraser = await load();
  } catch {
    return err('notLoaded');
  }
  return eraser(withCopies);
}

const CHANGED = 'The page changed just now. Select the words again.';
const UNSENT = 'Some of your edits aren’t saved yet. You can erase when they are.';

function copiesText(places: number | null): string {
  if (places === null) return 'Only the words that you selected are erased.';
  return places === 0 ? 'Nothing else on this page says the same.' : `The same words are in ${placesText(places)}.`;
}

const placesText = (count: number) => counted(count, 'other place on this page', 'other places on this page');

function textOfFailure(failure: EraseFailure): string {
  if (failure === 'notSaved') return 'The server doesn’t have all of these words yet. Try again in a moment.';
  if (failure === 'notLoaded') return PART_NOT_LOADED;
  if (failure === 'failed') return 'The words couldn’t be erased. Try again.';
  if (failure.code === 'WF011') return 'Can’t reach the server. Try again.';
  if (failure.code === 'WF002') return 'Only managers of the page can erase words for good.';
  if (failure.code === 'WF016') return CHANGED;
  return failure.code === 'WF005' ? 'The words couldn’t be erased. Try again.' : textOf(failure);
}
