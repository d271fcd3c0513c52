// The cards for recovered text: who deleted it, the text, and three buttons. A card stays until its text is back or
// dismissed.
import { useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { Session } from 'weft-sync/session/session-api.ts';
import { PART_NOT_LOADED } from '../../texts/content-texts.ts';
import { ERROR_TEXTS } from '../../texts/error-texts.ts';
import { copyText } from '../../ui/browser/copy-text.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toast } from '../../ui/floating/toast.tsx';
import { type RecoveredTextProps, recoveredTextTitle } from './recovered-text-title.ts';
import { elementOf } from './recovered-text-widgets.ts';
import { insertRecoveredText, recoveredTextsOf } from './recovered-text.ts';
import type { RecoveredTextEntry } from './recovered-texts.ts';
import './recovered-text.css';

/** One card for each entry, at its place in the text. */
export function RecoveredTextCards({ editor, session, people, editable }: RecoveredTextProps) {
  const list = recoveredTextsOf(session);
  const all = useSyncExternalStore(list.subscribe, list.get);
  const end = (entry: RecoveredTextEntry) => {
    const hadFocus = elementOf(list, entry).contains(document.activeElement);
    list.resolve(entry.key);
    // The button that had the focus goes with its card.
    if (hadFocus) editor.view.focus();
  };
  return all.map((entry) =>
    createPortal(
      <Card
        entry={entry}
        title={recoveredTextTitle(entry, people, session.user)}
        canRestore={editable}
        onRestore={() => {
          if (!editor.isEditable) return;
          // An entry is removed only once its text is back. On a full page the card stays.
          const bytes = entry.deleted?.file?.length ?? entry.words.length + 100;
          if (!session.mayGrow(bytes)) return toast(ERROR_TEXTS.WF007);
          void restore(session, entry).then(
            () => end(entry),
            () => toast(PART_NOT_LOADED),
          );
        }}
        onDismiss={() => end(entry)}
      />,
      elementOf(list, entry),
      entry.key,
    ),
  );
}

async function restore(session: Session, entry: RecoveredTextEntry): Promise<void> {
  const isRestored =
    entry.deleted !== undefined && (await import('./restore-deleted.ts')).restoreDeleted(session.doc, entry);
  if (!isRestored) insertRecoveredText(session.doc, entry);
}

type CardProps = {
  readonly entry: RecoveredTextEntry;
  readonly title: string;
  /** False on a page that the user can only view. */
  readonly canRestore: boolean;
  readonly onRestore: () => void;
  readonly onDismiss: () => void;
};

function Card({ entry, title, canRestore, onRestore, onDismiss }: CardProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <section className="recovered-text" role="group" aria-label="Recovered text">
      <p className="recovered-text-title">{title}</p>
      <blockquote className="quoted-words" dir="auto">
        {entry.words}
      </blockquote>
      <footer>
        <Button look="primary" size="small" disabled={!canRestore} onClick={onRestore}>
          Restore
        </Button>
        <Button size="small" onClick={() => void copyText(entry.words, null).then(setCopied)}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <span className="grow" />
        <Button look="plain" size="small" onClick={onDismiss}>
          Dismiss
        </Button>
      </footer>
    </section>
  );
}
