// Everything of one signed-in person: their workspaces, the people they meet, the pages they have open. Made when
// somebody signs in, closed when they leave; two people on one device never share one.
import { type Atom, atom, createStore } from 'jotai/vanilla';
import type { Workspace } from '../protocol/answers.ts';
import type { DocumentId } from '../protocol/ids.ts';
import type { Unsent } from '../sync/ports.ts';
import { type ReceiptView, deviceReceiptAtom, waitingAtom } from './device-receipt.ts';
import { type KeptList, type Timing, keepList } from './kept-list.ts';
import { type OpenPage, type OpenedSession, openPage } from './open-page.ts';
import { type OpenWorkspace, openWorkspace } from './open-workspace.ts';
import { type People, keepPeople } from './people.ts';
import type { Directory, Identity, Shelf, WorkspaceStream } from './ports.ts';
import { type RefCounted, refCounted } from './ref-counted.ts';
import { unsentSender } from './send-unsent.ts';
import type { Store } from './store.ts';
import { parseStoredWorkspaces } from './stored-lists.ts';
import { type UnsentEdits, watchUnsent } from './unsent.ts';

export type PersonPorts = {
  readonly directory: Directory;
  readonly stream: WorkspaceStream;
  readonly shelf: Shelf;
  readonly timing: Timing;
  readonly openSession: (documentId: DocumentId) => Promise<OpenedSession>;
  /** This device's edits of this person. */
  readonly kept: { unsent(): Promise<readonly Unsent[]>; forgetAll(): Promise<void> };
};

export interface PersonState {
  readonly identity: Identity;
  readonly store: Store;
  readonly directory: Directory;
  readonly people: People;
  readonly workspacesAtom: Atom<KeptList<readonly Workspace[]>>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  readonly unsent: UnsentEdits;
  /** Pages whose edits wait on this device. */
  readonly waitingAtom: Atom<readonly Unsent[]>;
  readonly deviceReceiptAtom: Atom<ReceiptView>;
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly workspaces: RefCounted<Workspace['id'], OpenWorkspace>;
  readonly refreshWorkspaces: () => Promise<void>;
  /** A workspace this person just made or was let into. */
  readonly addWorkspace: (workspace: Workspace) => void;
  /** The slug of the workspace they were in last on this device. */
  readonly lastWorkspace: () => Promise<string | null>;
  readonly rememberWorkspace: (slug: string) => void;
  /** Sends the edits of pages that are not open. */
  readonly sendUnsent: () => void;
  /** Tries again at once whatever waits: the sign-in was renewed, the network is back. */
  readonly retryAll: () => void;
  readonly close: () => Promise<void>;
  /** After `close`: deletes everything this device keeps for this person, unsent edits included. */
  readonly wipe: () => Promise<void>;
}

const PAGE_LINGERS_MS = 2_000;
const WORKSPACE_LINGERS_MS = 5_000;
const LAST_WORKSPACE = 'last-workspace';

export function personState(identity: Identity, ports: PersonPorts): PersonState {
  const { directory, shelf, timing } = ports;
  const store = createStore();
  const people = keepPeople({ store, shelf, fetch: (users) => directory.profiles(users) });
  people.meet([identity.id]);
  const unsent = watchUnsent(store, () => ports.kept.unsent());
  const list = keepList({
    store,
    shelf,
    key: 'workspaces',
    fetch: () => directory.workspaces(),
    parse: parseStoredWorkspaces,
    timing,
  });
  const known = (id: Workspace['id']): Workspace | undefined =>
    store.get(list.atom).value?.find((workspace) => workspace.id === id);

  const openPagesAtom = atom<readonly OpenPage[]>([]);
  const pages: RefCounted<DocumentId, OpenPage> = refCounted({
    open: (documentId: DocumentId) =>
      openPage({
        documentId,
        store,
        open: ports.openSession,
        unsentChanged: () => void unsent.look(),
      }),
    close: (page) => page.close(),
    lingerMs: PAGE_LINGERS_MS,
    after: timing.after,
    changed: () => store.set(openPagesAtom, pages.open()),
  });
  const workspaces = refCounted<Workspace['id'], OpenWorkspace>({
    open(id) {
      const workspace = known(id);
      if (workspace === undefined) throw new Error('a workspace is opened only once it is known');
      return openWorkspace({ workspace, store, directory, stream: ports.stream, shelf, people, timing });
    },
    close: async (workspace) => workspace.close(),
    lingerMs: WORKSPACE_LINGERS_MS,
    after: timing.after,
  });
  const waiting = waitingAtom(openPagesAtom, unsent.atom);
  const sendUnsent = unsentSender({ store, pages, after: timing.after, unsent: () => store.get(unsent.atom) });
  void unsent.look().then(sendUnsent);

  return {
    identity,
    store,
    directory,
    people,
    workspacesAtom: list.atom,
    openPagesAtom,
    unsent,
    waitingAtom: waiting,
    deviceReceiptAtom: deviceReceiptAtom(openPagesAtom, waiting),
    pages,
    workspaces,
    refreshWorkspaces: list.refresh,
    addWorkspace: (workspace) => list.amend((before) => [...before.filter(({ id }) => id !== workspace.id), workspace]),
    async lastWorkspace() {
      const slug = await shelf.load(LAST_WORKSPACE);
      return typeof slug === 'string' ? slug : null;
    },
    rememberWorkspace: (slug) => void shelf.save(LAST_WORKSPACE, slug),
    sendUnsent,
    retryAll() {
      for (const page of pages.open()) page.retry();
      for (const workspace of workspaces.open()) void workspace.refresh();
      void list.refresh();
    },
    async close() {
      list.close();
      await Promise.all([pages.closeAll(), workspaces.closeAll()]);
    },
    async wipe() {
      await Promise.all([ports.kept.forgetAll(), shelf.clear()]);
    },
  };
}
