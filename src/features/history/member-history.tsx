// The history of a page for someone who is signed in, with names; people who may edit restore and name versions.
import { useEffect, useMemo, useState } from 'react';
import { mayEdit, mayManage } from 'weft-sync/protocol/roles.ts';
import { useIdentity, useValue } from '../../state/hooks.ts';
import type { OpenPage } from '../../state/page/open-page.ts';
import type { PageHistory } from '../../ports/history.ts';
import type { HistoryTools } from './history-tools.ts';
import { ReadyHistory } from './ready-history.tsx';
import { useRestore } from './restore/use-restore.ts';
import { useRows } from './timeline/use-rows.ts';
import { useVersions } from './versions/use-versions.ts';
import { EVERYTHING } from './versions/version-entries.ts';
import type { ReadyView } from './use-page-history.ts';
import { usePeopleOfHistory } from './who.ts';

type MemberHistoryProps = {
  readonly page: OpenPage;
  readonly tools: HistoryTools;
  readonly history: PageHistory;
  readonly view: ReadyView;
};

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
