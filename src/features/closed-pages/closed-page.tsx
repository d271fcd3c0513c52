// A page that this person may not open: why, as far as they may know, what became of their edits, and a request for access. A
// page that does not exist looks the same.
import { type ReactNode, useEffect, useMemo } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Closure } from '../../protocol/people-answers.ts';
import { usePerson, useValue } from '../../state/hooks.ts';
import { textOfClosure } from '../../state/page/page-closure.ts';
import { askedAccess } from '../../state/person/asked-access.ts';
import { ERROR_TEXTS, unsavedText } from '../../texts/error-texts.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { RequestForm } from './request-form.tsx';
import { Withdraw } from './withdraw.tsx';
import './closed-page.css';

type ClosedPageProps = {
  readonly document: DocumentId;
  readonly closure: Closure;
  /** Edits of this person that are only on this device. */
  readonly unsentEdits: number;
  /** Saves them as a file. */
  readonly download: ReactNode;
  /** A link to where the person may go. */
  readonly wayOut: ReactNode;
};

export function ClosedPage({ document, closure, unsentEdits, download, wayOut }: ClosedPageProps) {
  const { identity, store, access, inbox, listCache, timing, onChange } = usePerson();
  const asked = useMemo(
    () => askedAccess({ document, store, access, inbox, listCache, timing, onChange }),
    [document, store, access, inbox, listCache, timing, onChange],
  );
  useEffect(() => asked.follow(), [asked]);
  const state = useValue(asked.atom);
  const deniedBy = useValue(asked.deniedByAtom);
  const unsaved = unsentEdits > 0 && (
    <p>
      {unsavedText(unsentEdits)} {unsentEdits === 1 ? 'It is' : 'They are'} still on this device: download a copy to
      keep {unsentEdits === 1 ? 'it' : 'them'}.
    </p>
  );
  const downloadIfUnsent = unsentEdits > 0 && download;
  const ways = (
    <>
      {downloadIfUnsent}
      {wayOut}
    </>
  );
  if (closure?.kind === 'purged')
    return (
      <EmptyState level={1} title={textOfClosure(closure, identity.id)} actions={ways}>
        {unsaved}
      </EmptyState>
    );
  if (state === 'asked')
    return (
      <EmptyState
        level={1}
        title="Request sent"
        actions={
          <>
            {wayOut}
            {downloadIfUnsent}
            <Withdraw asked={asked} />
          </>
        }
      >
        <p role="status">
          If this page exists, its managers have been notified. You’ll get the answer in your inbox, and the page opens
          here.
        </p>
        {unsaved}
      </EmptyState>
    );
  const title = closure === null ? ERROR_TEXTS.WF001 : textOfClosure(closure, identity.id);
  const me = identity.email ?? 'a guest';
  return (
    <div className="closed-page">
      <EmptyState level={1} title={state === 'denied' ? `${deniedBy ?? 'Someone'} denied your request.` : title}>
        {unsaved}
        <p>
          {state === 'denied'
            ? 'You can ask again tomorrow.'
            : closure === null
              ? `It doesn’t exist, or you don’t have access. You’re signed in as ${me}.`
              : `You’re signed in as ${me}.`}
        </p>
      </EmptyState>
      {state === 'none' ? (
        <RequestForm asked={asked} isEditing={unsentEdits > 0} actions={ways} />
      ) : (
        <div className="actions">{ways}</div>
      )}
    </div>
  );
}
