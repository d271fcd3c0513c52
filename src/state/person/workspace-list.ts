// The workspaces that a person is in, or sees single pages of.
import type { Workspace, WorkspaceChange } from '../../protocol/answers.ts';
import { cachedList } from '../offline/cached-list.ts';
import { parseStoredWorkspaces } from '../offline/stored-lists.ts';
import type { AtomStore } from '../store.ts';
import { type GonePage, pagesStoredIn } from '../workspace/lost-pages.ts';
import { pageListKey } from '../workspace/page-list.ts';
import type { PersonPorts } from './person-ports.ts';

const KEY = 'workspaces';

export function workspaceList(options: {
  readonly store: AtomStore;
  readonly ports: PersonPorts;
  readonly onPagesGone: (pages: readonly GonePage[]) => void;
}) {
  const { store, ports } = options;
  const { directory, listCache } = ports;
  const list = cachedList({
    ...ports,
    store,
    key: KEY,
    fetch: () => directory.workspaces(),
    parse: parseStoredWorkspaces,
  });
  // A screen renders a workspace of the list and opens it a moment later, when the list may lack it already.
  const everListed = new Map<Workspace['id'], Workspace>();
  const present = new Set<Workspace['id']>();

  /** The person left the workspace, was removed from it, or it was deleted: its pages leave the device. */
  const forgetPages = async (id: Workspace['id']) => {
    options.onPagesGone(pagesStoredIn(await listCache.load(pageListKey(id))));
    await listCache.save(pageListKey(id), null);
  };
  const forgetAbsent = () => {
    const { value, isFresh } = store.get(list.atom);
    if (value === null) return;
    for (const workspace of value) {
      everListed.set(workspace.id, workspace);
      present.add(workspace.id);
    }
    if (!isFresh) return;
    const listed = new Set(value.map(({ id }) => id));
    for (const id of present) {
      if (listed.has(id)) continue;
      present.delete(id);
      void forgetPages(id);
    }
  };
  const stopListing = store.sub(list.atom, forgetAbsent);
  const compareCached = async () => {
    // The server's list may have come first.
    for (const { id } of parseStoredWorkspaces(await listCache.load(KEY)) ?? []) present.add(id);
    forgetAbsent();
  };
  void compareCached();

  return {
    atom: list.atom,
    refresh: list.refresh,
    find: (id: Workspace['id']): Workspace | undefined => everListed.get(id),
    add: (workspace: Workspace) =>
      list.amend((before) => [...before.filter(({ id }) => id !== workspace.id), workspace]),
    async remove(id: Workspace['id']): Promise<void> {
      await list.refresh();
      list.amend((before) => before.filter((workspace) => workspace.id !== id));
    },
    /**
     * True for a change of a workspace itself, for a page that was shared in a workspace that the list lacks, and for one
     * that was closed in a workspace of which the person only sees pages.
     */
    isChangedBy({ kind, op, workspace }: WorkspaceChange): boolean {
      if (kind === 'workspace') return true;
      if (workspace === null || (kind !== 'access' && kind !== 'document')) return false;
      const listed = store.get(list.atom).value?.find(({ id }) => id === workspace);
      return op === 'removed' ? listed?.role === null : listed === undefined;
    },
    close() {
      stopListing();
      list.close();
    },
  };
}
