// The pages with edits that only this device has; those of each can be discarded, after a question.
import { useState } from 'react';
import type { Unsent } from 'weft-sync/ports.ts';
import { counted } from '../../../lib/text/counted.ts';
import { usePageLocations, usePerson, useValue } from '../../../state/hooks.ts';
import { shownTitle } from '../../../texts/content-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { LayerBoundary } from '../../../ui/feedback/error-boundary.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { DownloadCopyButton } from './download-copy.tsx';

type UnsentPagesProps = { readonly pages: readonly Unsent[]; readonly onSaved: (name: string) => void };

export function UnsentPages({ pages, onSaved }: UnsentPagesProps) {
  const locations = usePageLocations();
  const queued = useValue(usePerson().pendingPages.atom);
  const [discarded, setDiscarded] = useState<Unsent | null>(null);
  const titleOf = ({ document }: Unsent) => {
    const page = locations.get(document)?.page ?? queued.get(document);
    return page === undefined ? 'A page you can’t open here' : shownTitle(page.title);
  };
  return (
    <>
      <ul className="device-list" aria-label="Unsent edits">
        {pages.map((one) => (
          <li key={one.document}>
            <bdi className="grow truncate">{titleOf(one)}</bdi>
            <small className="tabular">{counted(one.edits, 'edit')}</small>
            <Button
              size="small"
              look="plain-danger"
              aria-label={`Discard edits of ${titleOf(one)}`}
              onClick={() => setDiscarded(one)}
            >
              Discard…
            </Button>
          </li>
        ))}
      </ul>
      {discarded !== null && (
        <LayerBoundary onDismiss={() => setDiscarded(null)}>
          <DiscardDialog
            unsent={discarded}
            title={titleOf(discarded)}
            onSaved={onSaved}
            onClose={() => setDiscarded(null)}
          />
        </LayerBoundary>
      )}
    </>
  );
}

type DiscardDialogProps = {
  readonly unsent: Unsent;
  readonly title: string;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
};

function DiscardDialog({ unsent, title, onSaved, onClose }: DiscardDialogProps) {
  const person = usePerson();
  const isNew = useValue(person.pendingPages.atom).has(unsent.document);
  const [problem, setProblem] = useState<string | null>(null);
  const discard = async () => {
    if (isNew) await person.pendingPages.drop(unsent.document);
    else if (!(await person.cachedPages.discard(unsent.document)))
      return setProblem('These edits are being sent, or a tab has the page open. Close it, or try again in a minute.');
    await person.unsent.refresh();
    onClose();
  };
  return (
    <Dialog title={`Discard the edits of “${title}”?`} open size="small" onOpenChange={onClose}>
      <section>
        <p>
          {counted(unsent.edits, 'edit')} {unsent.edits === 1 ? 'is' : 'are'} only on this device and can’t be brought
          back.
          {isNew && ' The page itself is not on the server yet, so it goes too.'}
        </p>
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <DownloadCopyButton onSaved={onSaved} />
        <Button look="danger" onClick={() => void discard()}>
          Discard edits
        </Button>
      </footer>
    </Dialog>
  );
}
