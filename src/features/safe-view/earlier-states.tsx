// In the safe view: offers to restore the page to the end of one of the last editing sessions before the newest.
import { useEffect, useState } from 'react';
import type { Session } from 'weft-sync/session/session-api.ts';
import { counted } from '../../lib/text/counted.ts';
import { dayAndTime } from '../../lib/text/times.ts';
import type { EditingSession } from '../../protocol/history-answers.ts';
import { newVersionId } from '../../protocol/new-ids.ts';
import { useAuthorNames, usePerson } from '../../state/hooks.ts';
import { historyTextOf } from '../../texts/error-texts.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { restoreState } from './restore-state.ts';

const MAX_SHOWN = 10;
const MINUTE_MS = 60_000;

type Found = { readonly editingSessions: readonly EditingSession[] | null; readonly problem: string | null };
const NOTHING: Found = { editingSessions: null, problem: null };

export function EarlierStates({ session }: { readonly session: Session }) {
  const { histories } = usePerson();
  const [isOpen, setOpen] = useState(false);
  const [found, setFound] = useState(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const [undo, setUndo] = useState<(() => Promise<void>) | null>(null);
  const [said, setSaid] = useState('');
  const load = async () => {
    setOpen(true);
    setFound(NOTHING);
    const answer = await histories.editingSessions(session.documentId, null, null);
    // Without the newest one: its end is the page as it is now.
    setFound(
      answer.ok
        ? { editingSessions: answer.value.slice(1, 1 + MAX_SHOWN), problem: null }
        : { editingSessions: null, problem: historyTextOf(answer.error) },
    );
  };
  const restore = async ({ toSeq }: EditingSession) => {
    setBusy(true);
    setUndo(null);
    setSaid('Restoring…');
    const done = await restoreState(histories, session, { seq: toSeq, version: newVersionId() });
    setBusy(false);
    setSaid(typeof done === 'string' ? done : 'Restored.');
    setUndo(() => (typeof done === 'string' ? null : done));
  };
  const takeBack = async () => {
    setBusy(true);
    await undo?.();
    setBusy(false);
    setUndo(null);
    setSaid('The page is as it was before.');
  };
  const { editingSessions, problem } = found;
  return (
    <section className="earlier-states" aria-label="Earlier states">
      {!isOpen && <Button onClick={() => void load()}>Restore an earlier state…</Button>}
      {isOpen && editingSessions === null && problem === null && <p role="status">Loading…</p>}
      {problem !== null && (
        <>
          <p role="alert">{problem}</p>
          <Button onClick={() => void load()}>Try again</Button>
        </>
      )}
      {editingSessions?.length === 0 && (
        <p>All of this page was written in one editing session: there is no earlier state.</p>
      )}
      {editingSessions !== null && editingSessions.length > 0 && (
        <>
          <h2>The page as it was after</h2>
          <ul>
            {editingSessions.map((one) => (
              <EditingSessionRow
                key={one.toSeq}
                editingSession={one}
                isBusy={isBusy}
                onRestore={() => void restore(one)}
              />
            ))}
          </ul>
        </>
      )}
      <p role="status">{said}</p>
      {undo !== null && (
        <Button disabled={isBusy} onClick={() => void takeBack()}>
          Undo restore
        </Button>
      )}
    </section>
  );
}

type EditingSessionRowProps = {
  readonly editingSession: EditingSession;
  readonly isBusy: boolean;
  readonly onRestore: () => void;
};

function EditingSessionRow({ editingSession: { to, edits, authors }, isBusy, onRestore }: EditingSessionRowProps) {
  const { people } = usePerson();
  const nameOf = useAuthorNames();
  const now = useNow(MINUTE_MS);
  useEffect(() => people.ensureLoaded(authors.filter((one) => one !== null)), [people, authors]);
  const [first = null] = authors;
  const name = (first === null ? null : nameOf(first)) ?? 'someone';
  const when = dayAndTime(to, now);
  return (
    <li>
      <span>
        {when}
        <span className="secondary">
          {' '}
          · {counted(edits, 'edit')} by {name}
          {authors.length > 1 && ` and ${authors.length - 1} more`}
        </span>
      </span>
      <Button size="small" disabled={isBusy} aria-label={`Restore the page as of ${when}`} onClick={onRestore}>
        Restore
      </Button>
    </li>
  );
}
