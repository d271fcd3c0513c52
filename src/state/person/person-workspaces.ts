// The workspaces of one person: the list of them, those that are open in this tab, and the one to return to. State of a single
// workspace, such as its tree and its change stream, belongs to `openWorkspace`.
import type { Atom } from 'jotai/vanilla';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentSummary, Workspace, WorkspaceChange } from '../../protocol/answers.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { type RefCounted, refCounted } from '../../lib/async/ref-counted.ts';
import { type ListState, cachedList } from '../offline/cached-list.ts';
import { parseStoredWorkspaces } from '../offline/stored-lists.ts';
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import { pagesStoredIn } from '../workspace/lost-pages.ts';
import { pageListKey } from '../workspace/page-list.ts';
import type { WorkspaceOptions } from '../workspace/workspace-options.ts';
import type { PersonPorts } from './person-ports.ts';

export interface PersonWorkspaces {
  readonly workspacesAtom: Atom<ListState<readonly Workspace[]>>;
  readonly workspaces: RefCounted<Workspace['id'], OpenWorkspace>;
  readonly refreshWorkspaces: () => Promise<void>;
  /** Reads the pages of all open workspaces again. */
  readonly refreshOpen: () => Promise<void>;
  /** The network is gone: refresh the lists, so that they notice. */
  readonly noteOffline: () => void;
  /** Adds a workspace that this person just created or joined. */
  readonly addWorkspace: (workspace: Workspace) => void;
  /** Removes a workspace that this person just left or deleted. Resolves when no answer on its way can bring it back. */
  readonly removeWorkspace: (workspace: Workspace['id']) => Promise<void>;
  /** Shows a page that the server just created in its workspace, if that is open. */
  readonly putPage: (page: DocumentSummary) => void;
  /** The server knows that the person has seen a page up to this moment. */
  readonly noteVisit: (page: DocumentId, seenAt: number) => void;
  /** The slug of the workspace they last used on this device. */
  readonly lastWorkspace: () => Promise<string | null>;
  readonly rememberWorkspace: (slug: string) => void;
  /** Runs at each change on the person's own stream; with null when some may have been missed. Until it is cancelled. */
  readonly onChange: (run: (change: WorkspaceChange | null) => void) => Cancel;
  readonly close: () => Promise<void>;
}

const WORKSPACE_LINGERS_MS = 5_000;
const LAST_WORKSPACE = 'last-workspace';

export function personWorkspaces(
  options: Omit<WorkspaceOptions, 'workspace' | 'directory' | 'stream' | 'listCache' | 'timing'> & {
    readonly ports: PersonPorts;
  },
): PersonWorkspaces {
  const { store, ports, people } = options;
  const { directory, listCache } = ports;
  const list = cachedList({
    ...ports,
    store,
    key: 'workspaces',
    fetch: () => directory.workspaces(),
    parse: parseStoredWorkspaces,
  });
  const known = (id: Workspace['id']): Workspace | undefined =>
    store.get(list.atom).value?.find((workspace) => workspace.id === id);
  // A screen renders a workspace of the list and opens it a moment later, when the list may lack it already.
  const everListed = new Map<Workspace['id'], Workspace>();
  const present = new Set<Workspace['id']>();
  const stopListing = store.sub(list.atom, () => {
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
  });
  /** The person left the workspace, was removed from it, or it was deleted: its pages leave the device. */
  const forgetPages = async (id: Workspace['id']) => {
    options.onPagesGone(pagesStoredIn(await listCache.load(pageListKey(id))));
    await listCache.save(pageListKey(id), null);
  };
  const open = refCounted<Workspace['id'], OpenWorkspace>({
    open(id) {
      const workspace = everListed.get(id);
      if (workspace === undefined) throw new Error('a workspace is opened only once it is known');
      return openWorkspace({ ...ports, ...options, workspace });
    },
    close: async (workspace) => workspace.close(),
    lingerMs: WORKSPACE_LINGERS_MS,
    after: ports.timing.after,
  });
  const refreshOpen = async () => {
    await Promise.all(open.openValues().map((workspace) => workspace.refresh()));
  };
  const listeners = new Set<(change: WorkspaceChange | null) => void>();
  const personStream = ports.personStream.open({
    change(change: WorkspaceChange) {
      if (change.kind === 'profile') people.refresh();
      if (change.kind === 'workspace' || concernsUnlisted(change)) void list.refresh();
      if (change.workspace !== null) open.peek(change.workspace)?.receive(change);
      for (const run of listeners) run(change);
    },
    caughtUp() {
      void refreshOpen();
      for (const run of listeners) run(null);
    },
  });
  /** A page was shared in a workspace that the list lacks, or one was closed in a workspace of which only pages are seen. */
  const concernsUnlisted = ({ kind, op, workspace }: WorkspaceChange): boolean => {
    if (workspace === null || (kind !== 'access' && kind !== 'document')) return false;
    const listed = known(workspace);
    return op === 'removed' ? listed !== undefined && listed.role === null : listed === undefined;
  };

  return {
    workspacesAtom: list.atom,
    workspaces: open,
    refreshWorkspaces: list.refresh,
    refreshOpen,
    noteOffline() {
      for (const workspace of open.openValues()) workspace.noteOffline();
    },
    addWorkspace: (workspace) => list.amend((before) => [...before.filter(({ id }) => id !== workspace.id), workspace]),
    async removeWorkspace(id) {
      await list.refresh();
      list.amend((before) => before.filter((workspace) => workspace.id !== id));
    },
    putPage: (page) => open.peek(page.workspaceId)?.put(page),
    noteVisit(page, seenAt) {
      for (const workspace of open.openValues()) workspace.noteVisit(page, seenAt);
    },
    async lastWorkspace() {
      const slug = await listCache.load(LAST_WORKSPACE);
      return typeof slug === 'string' ? slug : null;
    },
    rememberWorkspace: (slug) => void listCache.save(LAST_WORKSPACE, slug),
    onChange(run) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    async close() {
      personStream.close();
      stopListing();
      list.close();
      await open.closeAll();
    },
  };
}
