// The history of a page for someone who is signed in, with names; people who may edit restore and name versions.
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Restorable } from 'weft-document/history/restorations.ts';
import { mayEdit, mayManage } from 'weft-sync/protocol/roles.ts';
import type { PageHistory } from '../../ports/history.ts';
import { useIdentity, usePerson, useValue } from '../../state/hooks.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import { restoreVersion } from '../../state/page/restore-version.ts';
import { toast } from '../../ui/floating/toast.tsx';
import type { Restoring } from './history-source.ts';
import type { HistoryTools } from './history-tools.ts';
import { ReadyHistory } from './ready-history.tsx';
import { useRows } from './timeline/use-rows.ts';
import type { ReadyView } from './use-page-history.ts';
import { useVersions } from './versions/use-versions.ts';
import { EVERYTHING } from './versions/version-entries.ts';
import { usePeopleOfHistory } from './who.ts';

type MemberHistoryProps = {
  readonly page: OpenPage;
  readonly tools: HistoryTools;
  readonly history: PageHistory;
  readonly view: ReadyView;
};

/** The document stays open this long for the toast with Undo, also if its screen is left. */
const UNDO_MS = 20_000;

export function MemberHistory({ page, tools, history, view }: MemberHistoryProps) {
  const { documentId, files } = page;
  const role = useValue(page.roleAtom);
  const { id: me } = useIdentity();
  const { whoIs, ensureLoaded } = usePeopleOfHistory();
  const [filter, setFilter] = useState(EVERYTHING);
  const peers = useValue(page.peersAtom);
  const rows = useRows(history, view.head);
  const { authors } = rows;
  const { beginning } = view;
  const everyone = useMemo(
    () => [...authors, ...peers.map(({ user }) => user), beginning?.by ?? null, ...(beginning?.authors ?? [])],
    [authors, peers, beginning],
  );
  useEffect(() => ensureLoaded(everyone), [ensureLoaded, everyone]);
  const versions = useVersions(documentId, filter.person, view.head, tools.watchVersions);
  const restore = useRestore(page, history, tools.address);
  const here = peers.flatMap(({ user }) => (user === null || user === me ? [] : [user]));
  const { name, rename, remove } = versions;
  const editing = mayEdit(role)
    ? {
        here,
        restore,
        name,
        rename,
        remove,
        mayChange: ({ createdBy }: { readonly createdBy: unknown }) => mayManage(role) || createdBy === me,
      }
    : null;
  return (
    <ReadyHistory
      source={{ documentId, files, rows, whoIs, versions, filter, onFilter: setFilter, editing }}
      tools={tools}
      history={history}
      view={view}
    />
  );
}

/** Restores, opens the page, and shows a toast with Undo. The function resolves with an error text, or null. */
function useRestore(
  page: OpenPage,
  history: PageHistory,
  address: string,
): (request: Restoring) => Promise<string | null> {
  const { store, pages, histories, identity } = usePerson();
  const navigate = useNavigate();
  return async ({ file, what, done }) => {
    const undo = await restoreVersion({ store, page, histories, history, me: identity.id }, { file, what });
    if (!undo.ok) return undo.error;
    // Undo needs the document in which the restore was made.
    const { release } = pages.acquire(page.documentId);
    setTimeout(release, UNDO_MS);
    const block = blockOf(what);
    void navigate(block === null ? address : `${address}#b-${encodeURIComponent(block)}`);
    toast(done, () => {
      const problem = undo.value();
      if (problem !== null) toast(problem);
    });
    return null;
  };
}

function blockOf(what: Restorable): string | null {
  if (what.type === 'page') return null;
  return what.type === 'block' ? what.id : what.words.after.id;
}
