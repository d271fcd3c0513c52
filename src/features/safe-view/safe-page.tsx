// The safe view of a page: every block as plain text, with a way to delete blocks. It opens pages that the editor can't
// open, and uses neither the editor nor anything that draws formulas, code, pictures or formatting.
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { type BlockDeletions, deletionsOf } from 'weft-document/body/block-deletions.ts';
import { type PlainBody, plainBodyOf } from 'weft-document/body/plain-body.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { PlainList, partCount } from '../../editor/reading/plain-list.tsx';
import { counted } from '../../lib/text/counted.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { RangeForm } from './range-form.tsx';
import { SafeToolbar } from './safe-toolbar.tsx';
import { useSelection } from './use-selection.ts';
import './safe-view.css';

/** Why the page is shown this way: a person asked for it, it is too long, or it did not open the last time. */
export type SafeViewReason = 'asked' | 'large' | 'failed';

const SENTENCES: Readonly<Record<SafeViewReason, string>> = {
  asked: 'To repair a page, every block is shown as plain text.',
  large: 'This page is too long for the editor, so it is shown as plain text.',
  failed: 'This page didn’t open properly last time on this device, so it is shown as plain text.',
};

export type SafePageProps = {
  readonly session: Session;
  readonly title: string;
  readonly reason: SafeViewReason;
  readonly editable: boolean;
  /** Opens the page in the editor. Null if it is too long for that. */
  readonly onOpen: (() => void) | null;
  /** Shown above the blocks: earlier states of the page. */
  readonly earlier?: ReactNode;
};

export function SafePage({ session, title, reason, editable, onOpen, earlier }: SafePageProps) {
  // A rebuild replaces the document (L6).
  const doc = useSyncExternalStore(session.subscribe, () => session.doc);
  const view = plainBodyOf(doc);
  const body = useSyncExternalStore(view.subscribe, view.get);
  return (
    <section className="page-column safe-view" aria-label="Repair this page">
      <h1 className="page-title" dir="auto">
        {title}
      </h1>
      <p className="page-meta">{counted(body.count, 'block')} as plain text</p>
      <div className="safe-note">
        <p>
          {SENTENCES[reason]}
          {editable && ' Delete the blocks that don’t belong. Others can go on writing meanwhile.'}
        </p>
        {onOpen !== null && <Button onClick={onOpen}>Open in the editor</Button>}
      </div>
      {earlier}
      {body.count === 0 && (
        <EmptyState title="This page is empty">
          <p>{onOpen === null ? 'There is nothing to delete.' : 'Open it in the editor to write.'}</p>
        </EmptyState>
      )}
      <SafeBlocks key={doc.guid} deletions={deletionsOf(doc)} {...{ body, editable }} />
    </section>
  );
}

type SafeBlocksProps = {
  readonly body: PlainBody;
  readonly deletions: BlockDeletions;
  readonly editable: boolean;
};

function SafeBlocks({ body, deletions, editable }: SafeBlocksProps) {
  const [part, setPart] = useState(0);
  const selection = useSelection(body);
  const isBusy = useSyncExternalStore(deletions.subscribe, deletions.isBusy);
  const [announcement, setAnnouncement] = useState('');
  const remove = async (keys: ReadonlySet<string>) => {
    setAnnouncement('');
    const count = await deletions.delete(keys);
    setAnnouncement(count === 1 ? 'Deleted 1 block.' : `Deleted ${count.toLocaleString('en')} blocks.`);
    selection.clear();
    // The button that was pressed is gone or was disabled meanwhile.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('.safe-toolbar button')?.focus();
  };
  const goTo = (next: number) => {
    setPart(next);
    document.querySelector('.safe-view')?.scrollIntoView({ block: 'start' });
  };
  const shown = Math.min(part, partCount(body) - 1);
  return (
    <>
      {editable && body.count > 0 && <RangeForm count={body.count} onChoose={selection.chooseRange} />}
      {editable && (
        <SafeToolbar
          {...{ deletions, announcement }}
          chosen={selection.keys.size}
          onDelete={() => void remove(selection.keys)}
          onClear={selection.clear}
          onUndo={() => {
            setAnnouncement('');
            void deletions.undo().then(() => setAnnouncement('Brought back.'));
          }}
        />
      )}
      {body.count > 0 && (
        <PlainList
          body={body}
          part={shown}
          onPart={goTo}
          actions={
            editable
              ? {
                  chosen: selection.keys,
                  onChoose: selection.toggle,
                  onDelete: (key) => void remove(new Set([key])),
                  isBusy,
                }
              : null
          }
        />
      )}
    </>
  );
}
