// Restores: keeps the page as it is now as a version, makes the change as one edit of this person, and opens the page with
// an Undo.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { restorationsOf } from '../../../document/history/restorations.ts';
import type { PageFile } from '../../../document/formats/page-json.ts';
import type { Result } from '../../../lib/result.ts';
import { textOf } from '../../../protocol/errors.ts';
import { usePerson } from '../../../state/hooks.ts';
import type { OpenPage } from '../../../state/page/open-page.ts';
import type { HistoryFailure, PageHistory } from '../../../state/ports/history.ts';
import { toast } from '../../../ui/floating/toast.tsx';
import type { Versions } from '../versions/use-versions.ts';

/** As long as the toast with Undo may be there. */
const UNDO_MS = 20_000;

export type Restoring = {
  readonly file: () => Promise<Result<PageFile, HistoryFailure>>;
  /** A block's id; null restores the whole page. */
  readonly block: string | null;
  /** What the toast says. */
  readonly done: string;
};

/** `restore` resolves with what went wrong, in words. */
export function useRestore(
  page: OpenPage,
  history: PageHistory,
  versions: Versions,
  address: string,
): { readonly restore: (wish: Restoring) => Promise<string | null>; readonly isBusy: boolean } {
  const { store, pages } = usePerson();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const run = async ({ file, block, done }: Restoring): Promise<string | null> => {
    const found = await file();
    if (!found.ok) return 'This version can’t be restored.';
    await history.refresh();
    const view = history.getView();
    const error = view.phase === 'ready' ? await versions.name(view.head, null, 'restore') : null;
    if (error !== null) return textOf(error);
    const session = store.get(page.sessionAtom);
    if (session === null || !store.get(page.editableAtom)) return 'The page can’t be edited now.';
    const restorations = restorationsOf(session.doc);
    const isChanged = block === null ? restorations.page(found.value) : restorations.block(found.value, block);
    if (!isChanged) return 'The page says this already.';
    // Undo needs the document in which it was done.
    const { release } = pages.acquire(page.documentId);
    setTimeout(release, UNDO_MS);
    void navigate(block === null ? address : `${address}#b-${encodeURIComponent(block)}`);
    toast(done, () => void restorations.undo());
    return null;
  };
  return {
    isBusy,
    async restore(wish) {
      setBusy(true);
      const problem = await run(wish);
      setBusy(false);
      return problem;
    },
  };
}
