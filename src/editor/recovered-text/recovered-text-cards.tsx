// The cards for recovered text: who deleted them, the text, and three buttons. A card stays until one of them is pressed.
import { useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { ERROR_TEXTS } from '../../texts/error-texts.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { copyText } from '../../ui/browser/copy-text.ts';
import { toast } from '../../ui/floating/toast.tsx';
import type { RecoveredTextEntry } from './lost-list.ts';
import { type RecoveredTextProps, lostTitleFor } from './lost-title.ts';
import { elementOf } from './lost-text-widgets.ts';
import { lostListOf, restoreLost } from './recovered-text.ts';
import './recovered-text.css';

/** One card for each, at its place in the text. */
export function RecoveredTextCards({ editor, session, people, editable }: RecoveredTextProps) {
  const list = lostListOf(session);
  const all = useSyncExternalStore(list.subscribe, list.get);
  return all.map((lost) =>
    createPortal(
      <Card
        lost={lost}
        title={lostTitleFor(lost, people, session.user)}
        canRestore={editable}
        onRestore={() => {
          if (!editor.isEditable) return;
          // An entry is removed only once its text is back. On a full page the card stays.
          const bytes = lost.deleted?.file?.length ?? lost.words.length + 100;
          if (!session.mayGrow(bytes)) return toast(ERROR_TEXTS.WF007);
          void restore(session, lost).then(() => list.resolve(lost.key));
        }}
        onDismiss={() => list.resolve(lost.key)}
      />,
      elementOf(list, lost),
      lost.key,
    ),
  );
}

async function restore(session: Session, lost: RecoveredTextEntry): Promise<void> {
  const isRestored =
    lost.deleted !== undefined && (await import('./restore-deleted.ts')).restoreDeleted(session.doc, lost);
  if (!isRestored) restoreLost(session.doc, lost);
}

type CardProps = {
  readonly lost: RecoveredTextEntry;
  readonly title: string;
  /** False on a page that the user can only view. */
  readonly canRestore: boolean;
  readonly onRestore: () => void;
  readonly onDismiss: () => void;
};

function Card({ lost, title, canRestore, onRestore, onDismiss }: CardProps) {
  const [isCopied, setCopied] = useState(false);
  return (
    <section className="recovered-text" role="group" aria-label="Recovered text">
      <p className="lost-title">{title}</p>
      <blockquote className="quoted-words" dir="auto">
        {lost.words}
      </blockquote>
      <footer>
        <Button look="primary" size="small" disabled={!canRestore} onClick={onRestore}>
          Restore
        </Button>
        <Button size="small" onClick={() => void copyText(lost.words, null).then(setCopied)}>
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
