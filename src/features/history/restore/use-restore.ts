// Restores: keeps the page as it is now as a version, makes the change as one edit of this person, and opens the page with
// an Undo.
import { useNavigate } from 'react-router';
import { type Restorable, type Restored, restorationsOf } from 'weft-document/history/restorations.ts';
import type { PageFile } from 'weft-document/formats/page-json.ts';
import type { Result } from '../../../lib/result.ts';
import { usePerson } from '../../../state/hooks.ts';
import type { OpenPage } from '../../../state/page/open-page.ts';
import type { HistoryFailure, PageHistory } from '../../../ports/history.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import { toast } from '../../../ui/floating/toast.tsx';
import { beforeRestore } from './before-restore.ts';

/** The toast with Undo stays no longer than this. */
const UNDO_MS = 20_000;

export type Restoring = {
  readonly file: () => Promise<Result<PageFile, HistoryFailure>>;
  readonly what: Restorable;
  /** The text of the toast. */
  readonly done: string;
};

const NOT_DONE: Readonly<Record<Exclude<Restored, 'changed'>, string>> = {
  stands: 'The page says this already.',
  gone: 'Someone removed this block since. Restore the block first.',
};
const UNREADABLE = 'This version can’t be restored.';
const NOT_EDITABLE = 'The page can’t be edited now.';

/** Resolves with an error text, or null. */
export function useRestore(
  page: OpenPage,
  history: PageHistory,
  address: string,
): (request: Restoring) => Promise<string | null> {
  const { store, pages, histories, identity } = usePerson();
  const navigate = useNavigate();
  const editable = (): Session | null => (store.get(page.editableAtom) ? store.get(page.sessionAtom) : null);
  return async ({ file, what, done }) => {
    const wanted = await file();
    if (!wanted.ok) return UNREADABLE;
    const session = editable();
    if (session === null) return NOT_EDITABLE;
    // If nothing would change, the present page needs no version.
    const expected = restorationsOf(session.doc).wouldRestore(wanted.value, what);
    if (expected !== 'changed') return NOT_DONE[expected];
    const problem = await beforeRestore({
      histories,
      history,
      document: page.documentId,
      me: identity.id,
      shownSeq: () => store.get(page.sessionAtom)?.shownSeq ?? 0,
    });
    if (problem !== null) return problem;
    // Read it again: it may depend on others' latest edits.
    const found = await file();
    if (!found.ok) return UNREADABLE;
    const doc = editable()?.doc;
    if (doc === undefined) return NOT_EDITABLE;
    const restorations = restorationsOf(doc);
    const restored = restorations.restore(found.value, what);
    if (restored !== 'changed') return NOT_DONE[restored];
    // Undo needs the document in which the restore was made.
    const { release } = pages.acquire(page.documentId);
    setTimeout(release, UNDO_MS);
    const block = blockOf(what);
    void navigate(block === null ? address : `${address}#b-${encodeURIComponent(block)}`);
    toast(done, () => {
      const now = editable();
      if (now === null) toast(NOT_EDITABLE);
      // A rebuild replaces the document that Undo needs.
      else if (now.doc !== doc)
        toast('This can’t be undone any more. History has the page as it was, as “Before a restore”.');
      else if (!restorations.undo()) toast('This is undone already.');
    });
    return null;
  };
}

function blockOf(what: Restorable): string | null {
  if (what.type === 'page') return null;
  return what.type === 'block' ? what.id : what.words.after.id;
}
