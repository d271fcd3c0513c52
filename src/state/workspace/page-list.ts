// The pages of one workspace: as the server lists them, and with the new pages and the changes that wait on this device.
import { atom } from 'jotai/vanilla';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { ok } from '../../lib/result.ts';
import type { DocumentSummary, Workspace } from '../../protocol/answers.ts';
import { type ListState, cachedList } from '../offline/cached-list.ts';
import { type DocumentList, withChanges } from '../offline/document-list.ts';
import { parseStoredDocuments } from '../offline/stored-lists.ts';
import { withPageChanges } from './pending/page-changes.ts';
import { pendingPagesIn, summaryOf } from './pending/pending-pages.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** The name under which the device caches the list of a workspace's pages. */
export const pageListKey = (workspace: Workspace['id']): string => `${PAGE_LISTS}${workspace}`;
export const PAGE_LISTS = 'documents:';

export function pageList(options: WorkspaceOptions) {
  const { workspace, me, directory, pendingPages } = options;
  const list = cachedList({
    ...options,
    key: pageListKey(workspace.id),
    async fetch(known) {
      const answer = await directory.documents(workspace.id, known()?.stamp ?? null);
      return answer.ok ? ok(withChanges(known(), answer.value)) : answer;
    },
    parse: parseStoredDocuments,
  });
  const queuedListAtom = atom((get) => withQueued(get(list.atom), get(pendingPages.atom), workspace, me));
  return {
    ...list,
    /** The list without what waits on this device. */
    serverAtom: list.atom,
    atom: atom((get) => {
      const [queued, waiting] = [get(queuedListAtom), get(options.changes.atom)];
      if (queued.value === null || waiting.length === 0) return queued;
      return { ...queued, value: { ...queued.value, documents: withPageChanges(queued.value.documents, waiting) } };
    }),
    put: (page: DocumentSummary) =>
      list.amend((before) => ({
        ...before,
        documents: [...before.documents.filter(({ id }) => id !== page.id), page],
      })),
  };
}

/** The server's pages plus those of this device that it does not have yet. */
function withQueued(
  list: ListState<DocumentList>,
  queued: Parameters<typeof pendingPagesIn>[0],
  workspace: Workspace,
  me: UserId,
): ListState<DocumentList> {
  if (list.value === null) return list;
  const { documents } = list.value;
  const role = roleIn(list.value.workspace);
  const pages = pendingPagesIn(queued, workspace.id, documents).map((page) => summaryOf(page, role, me));
  return pages.length === 0 ? list : { ...list, value: { ...list.value, documents: [...documents, ...pages] } };
}

/** People may at least edit the pages that they create. */
export const roleIn = ({ role }: Workspace) => (role === 'owner' || role === 'admin' ? 'manager' : 'editor');
