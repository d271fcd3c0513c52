// The workspaces of one person: the list of them, those that are open in this tab, and the one to return to. State of a single
// workspace, such as its tree and its change stream, belongs to `openWorkspace`.
import type { Atom } from 'jotai/vanilla';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { type RefCounted, refCounted } from '../../lib/async/ref-counted.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { DocumentSummary, Workspace, WorkspaceChange } from '../../protocol/answers.ts';
import type { ListState } from '../offline/cached-list.ts';
import { refreshOnRejoin } from '../people/people.ts';
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import type { WorkspaceOptions } from '../workspace/workspace-options.ts';
import type { PersonPorts } from './person-ports.ts';
import { workspaceList } from './workspace-list.ts';

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
  const { ports, people } = options;
  const { listCache } = ports;
  const list = workspaceList(options);
  const open = refCounted<Workspace['id'], OpenWorkspace>({
    open(id) {
      const workspace = list.find(id);
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
  const refreshPeople = refreshOnRejoin(people);
  const personStream = ports.personStream.open({
    change(change: WorkspaceChange) {
      if (change.kind === 'profile') people.refresh();
      if (list.isChangedBy(change)) void list.refresh();
      if (change.workspace !== null) open.peek(change.workspace)?.receive(change);
      for (const run of listeners) run(change);
    },
    caughtUp() {
      refreshPeople();
      options.onCommented(null);
      void refreshOpen();
      for (const run of listeners) run(null);
    },
  });

  return {
    workspacesAtom: list.atom,
    workspaces: open,
    refreshWorkspaces: list.refresh,
    refreshOpen,
    noteOffline() {
      for (const workspace of open.openValues()) workspace.noteOffline();
    },
    addWorkspace: list.add,
    removeWorkspace: (id) => list.remove(id),
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
      list.close();
      await open.closeAll();
    },
  };
}
