// Everything of one signed-in person: their workspaces, the people they meet, the pages they have open. Made when
// somebody signs in, closed when they leave; two people on one device never share one.
import { type Atom, atom, createStore } from 'jotai/vanilla';
import type { Workspace } from '../../protocol/answers.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Unsent } from '../../sync/ports.ts';
import type { Result } from '../../lib/result.ts';
import type { WeftError } from '../../protocol/errors.ts';
import { type ReceiptView, atStakeAtom, deviceReceiptAtom, keptAndMadeAtom, waitingAtom } from './device-receipt.ts';
import type { BlobAddresses, FileShelf, FileSource, FileStorage, PictureMaker } from '../file-ports.ts';
import { watchDevice } from '../offline/cross-tab-events.ts';
import { type KeptList, type Timing, keepList } from '../offline/cached-list.ts';
import { type KeptPages, keptPages } from '../offline/cached-pages.ts';
import { type NewPages, newPages, queuedPage } from '../workspace/pending-pages.ts';
import { type OpenPage, type OpenedSession, openPage } from '../page/open-page.ts';
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import { pageFiles } from '../files/page-files.ts';
import { type People, keepPeople } from '../people/people.ts';
import type {
  DeviceNews,
  Directory,
  Identity,
  KeptDocuments,
  NewPageQueue,
  Shelf,
  UnsentCopy,
  WorkspaceStream,
} from '../ports.ts';
import { type RefCounted, refCounted } from '../../lib/ref-counted.ts';
import { unsentSender } from './send-unsent.ts';
import type { Store } from '../store.ts';
import { parseStoredWorkspaces } from '../offline/stored-lists.ts';
import { type UnsentEdits, watchUnsent } from './unsent-edits.ts';
import { type Uploads, uploads, waitingFiles } from '../files/uploads.ts';

export type PersonPorts = {
  readonly directory: Directory;
  readonly stream: WorkspaceStream;
  readonly shelf: Shelf;
  readonly timing: Timing;
  /** `beforeOpen` comes before the server is asked for the page; what it refuses is the answer. */
  readonly openSession: (documentId: DocumentId, beforeOpen: BeforeOpen) => Promise<OpenedSession>;
  readonly kept: KeptDocuments;
  readonly deviceNews: DeviceNews;
  readonly newPages: NewPageQueue;
  readonly files: FilePorts;
  /** How much the documents of this person may take on this device. */
  readonly capBytes: number;
};

/** Pictures and files of pages. */
export type FilePorts = {
  readonly storage: FileStorage;
  readonly sourceOf: (document: DocumentId) => FileSource;
  readonly shelf: FileShelf;
  readonly maker: PictureMaker;
  readonly addresses: BlobAddresses;
};

export type BeforeOpen = () => Promise<Result<unknown, WeftError>>;

export interface PersonState {
  readonly identity: Identity;
  readonly store: Store;
  readonly directory: Directory;
  readonly people: People;
  readonly workspacesAtom: Atom<KeptList<readonly Workspace[]>>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  readonly unsent: UnsentEdits;
  /** Pages that open without network. */
  readonly keptPages: KeptPages;
  readonly newPages: NewPages;
  /** Pictures and files that wait to be stored. */
  readonly uploads: Uploads;
  /** What waits on this device, page by page, for a file of the person's own. */
  readonly unsentCopies: () => Promise<readonly UnsentCopy[]>;
  /** Pages whose edits wait on this device. */
  readonly waitingAtom: Atom<readonly Unsent[]>;
  /** What signing out would delete, other tabs' edits included: look at `unsent` before. */
  readonly atStakeAtom: Atom<readonly Unsent[]>;
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
  /** The network went: lists find out. */
  readonly noteOffline: () => void;
  /** Tries again at once whatever waits: the sign-in was renewed, the network is back. */
  readonly retryAll: () => void;
  readonly close: () => Promise<void>;
  /** After `close`: deletes everything this device keeps for this person, unsent edits included. */
  readonly wipe: () => Promise<void>;
}

const PAGE_LINGERS_MS = 2_000;
const WORKSPACE_LINGERS_MS = 5_000;
/** Nobody waits for it, and one member a day is enough. */
const PURGES_AFTER_MS = 60_000;
const PURGES_EVERY_MS = 24 * 60 * 60 * 1_000;
const PURGED_AT = 'purged-at';
const LAST_WORKSPACE = 'last-workspace';

export function personState(identity: Identity, ports: PersonPorts): PersonState {
  const { directory, shelf, timing } = ports;
  const store = createStore();
  const people = keepPeople({ store, shelf, fetch: (users) => directory.profiles(users) });
  people.meet([identity.id]);
  const unsent = watchUnsent({
    store,
    timing,
    device: ports.kept,
    isOpenHere: (document) => pages.peek(document) !== null,
    looked: () => sender.send(),
  });
  /** All that waits on this device, of other tabs too. */
  const lookAround = () => Promise.all([unsent.look(), made.look(), sent.look()]);
  const device = watchDevice({ port: ports.deviceNews, after: timing.after, look: () => void lookAround() });
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

  const kept = keptPages({ store, device: ports.kept, capBytes: ports.capBytes, after: timing.after });
  const made = newPages({
    store,
    queue: ports.newPages,
    directory,
    timing,
    made(page) {
      workspaces.peek(page.workspaceId)?.put(page);
      // Its edits may go now, whether somebody has it open or not.
      pages.peek(page.id)?.retry();
      // The server answers.
      sender.wake();
      void unsent.look();
    },
    async settled(documents) {
      for (const document of documents) pages.peek(document)?.retry();
      await Promise.all(workspaces.open().map((workspace) => workspace.refresh()));
    },
    changed: device.changed,
  });
  const { shelf: fileShelf, storage, sourceOf, maker, addresses } = ports.files;
  const sent = uploads({
    store,
    shelf: fileShelf,
    storage,
    timing,
    pageMade: (document) => made.make(document),
    changed: device.changed,
  });
  const openPagesAtom = atom<readonly OpenPage[]>([]);
  const pages: RefCounted<DocumentId, OpenPage> = refCounted({
    open: (documentId: DocumentId, closing) =>
      openPage({
        documentId,
        store,
        timing,
        async open(id) {
          await closing;
          return ports.openSession(id, () => made.make(id));
        },
        queuedAtom: atom((get) => queuedPage(get(made.atom), documentId)),
        waitingFilesAtom: atom((get) => waitingFiles(get(sent.atom), documentId)),
        files: pageFiles({
          document: documentId,
          source: sourceOf(documentId),
          shelf: fileShelf,
          uploads: sent,
          maker,
          addresses,
          store,
          timing,
        }),
        unsentChanged: device.changed,
        shown: kept.opened,
        edited: () => ports.kept.edited(),
        lost: () => {
          void kept.lost(documentId);
          for (const workspace of workspaces.open()) void workspace.refresh();
        },
        titled: (title) => made.rename(documentId, title),
      }),
    async close(page) {
      await page.close();
      sender.closed(page);
      // Its edits are anybody's now.
      device.changed();
      void unsent.look();
    },
    lingerMs: PAGE_LINGERS_MS,
    after: timing.after,
    changed: () => store.set(openPagesAtom, pages.open()),
  });
  const workspaces = refCounted<Workspace['id'], OpenWorkspace>({
    open(id) {
      const workspace = known(id);
      if (workspace === undefined) throw new Error('a workspace is opened only once it is known');
      return openWorkspace({
        workspace,
        me: identity.id,
        store,
        directory,
        stream: ports.stream,
        shelf,
        people,
        timing,
        newPages: made,
        keptAtom: kept.atom,
        gone: (document) => void ports.kept.forgetClosed(document).then(kept.look, () => undefined),
      });
    },
    close: async (workspace) => workspace.close(),
    lingerMs: WORKSPACE_LINGERS_MS,
    after: timing.after,
  });
  const waiting = waitingAtom(openPagesAtom, keptAndMadeAtom(unsent.shownAtom, made.atom, sent.atom));
  const atStake = atStakeAtom(waiting, keptAndMadeAtom(unsent.atom, made.atom, sent.atom));
  const sender = unsentSender({
    store,
    pages,
    timing,
    unsent: () => store.get(unsent.atom),
    isElsewhere: unsent.isElsewhere,
  });
  void unsent.look();
  const stopPurging = timing.after(PURGES_AFTER_MS, () => void purge());
  const purge = async () => {
    const at = await shelf.load(PURGED_AT);
    if (typeof at === 'number' && timing.now() - at < PURGES_EVERY_MS) return;
    const purged = await storage.purge();
    if (purged.ok) await shelf.save(PURGED_AT, timing.now());
  };

  return {
    identity,
    store,
    directory,
    people,
    workspacesAtom: list.atom,
    openPagesAtom,
    unsent,
    keptPages: kept,
    newPages: {
      ...made,
      async drop(id) {
        for (const { file } of store.get(sent.atom).values()) if (file.document === id) sent.cancel(file.id);
        await made.drop(id);
      },
    },
    uploads: sent,
    async unsentCopies() {
      await unsent.look();
      const copies = store.get(atStake).map(async ({ document }) => {
        const page = pages.peek(document);
        // What only this tab holds is not on the device; otherwise the device knows of all tabs.
        const stored = page?.getView().receipt === 'tab' ? null : ports.kept.copyOf(document);
        return (await stored?.catch(() => null)) ?? page?.unsentCopy() ?? null;
      });
      return (await Promise.all(copies)).filter((copy) => copy !== null);
    },
    waitingAtom: waiting,
    atStakeAtom: atStake,
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
    sendUnsent: () => void unsent.look(),
    noteOffline() {
      for (const workspace of workspaces.open()) void workspace.refresh();
    },
    retryAll() {
      sender.wake();
      // Closed tabs may have left something.
      void unsent.look();
      void made.look().then(made.makeAll);
      void sent.look().then(sent.sendAll);
      for (const page of pages.open()) page.retry();
      for (const workspace of workspaces.open()) void workspace.refresh();
      void list.refresh();
    },
    async close() {
      list.close();
      device.close();
      unsent.close();
      made.close();
      sent.close();
      stopPurging();
      kept.close();
      await Promise.all([pages.closeAll(), workspaces.closeAll()]);
    },
    async wipe() {
      await Promise.all([ports.kept.forgetAll(), shelf.clear()]);
    },
  };
}
