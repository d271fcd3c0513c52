// The state of one signed-in person: their workspaces, the people they meet, their open pages. Created at sign-in and
// closed when they leave, so two people on one device never share it.
import { type Atom, atom, createStore } from 'jotai/vanilla';
import type { Workspace } from '../../protocol/answers.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { Unsent } from '../../sync/ports.ts';
import type { Result } from '../../lib/result.ts';
import type { WeftError } from '../../protocol/errors.ts';
import {
  type ReceiptView,
  lostOnSignOutAtom,
  deviceReceiptAtom,
  storedUnsentAtom,
  unsentPagesAtom,
} from './device-receipt.ts';
import type { ObjectUrls, FileCache, FileSource, FileStorage, PictureMaker } from '../file-ports.ts';
import { watchOtherTabs } from '../offline/cross-tab-events.ts';
import { type ListState, type Timing, cachedList } from '../offline/cached-list.ts';
import { type CachedPages, cachedPages } from '../offline/cached-pages.ts';
import { type PendingPages, pendingPages, pendingPage } from '../workspace/pending-pages.ts';
import { type LiveCounts, NO_LIVE_COUNTS, sumOfLiveCounts } from '../page/live-counts.ts';
import { type OpenPage, type OpenedSession, openPage } from '../page/open-page.ts';
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.ts';
import { pageFiles } from '../files/page-files.ts';
import { type People, cachedPeople } from '../people/people.ts';
import type {
  CrossTabEvents,
  Directory,
  Identity,
  CachedDocuments,
  PendingPageQueue,
  ListCache,
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
  readonly listCache: ListCache;
  readonly timing: Timing;
  /** `beforeOpen` runs before the server is asked for the page. Its error becomes the answer. */
  readonly openSession: (documentId: DocumentId, beforeOpen: BeforeOpen) => Promise<OpenedSession>;
  readonly cachedDocuments: CachedDocuments;
  readonly crossTabEvents: CrossTabEvents;
  readonly pendingPages: PendingPageQueue;
  readonly files: FilePorts;
  /** The space that this person's documents may take on this device. */
  readonly capBytes: number;
};

/** The ports for the pictures and files of pages. */
export type FilePorts = {
  readonly storage: FileStorage;
  readonly sourceOf: (document: DocumentId) => FileSource;
  readonly cache: FileCache;
  readonly maker: PictureMaker;
  readonly objectUrls: ObjectUrls;
};

export type BeforeOpen = () => Promise<Result<unknown, WeftError>>;

export interface PersonState {
  readonly identity: Identity;
  readonly store: Store;
  readonly directory: Directory;
  readonly people: People;
  readonly workspacesAtom: Atom<ListState<readonly Workspace[]>>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  readonly unsent: UnsentEdits;
  /** Pages that open without network. */
  readonly cachedPages: CachedPages;
  readonly pendingPages: PendingPages;
  /** Pictures and files that wait for their upload. */
  readonly uploads: Uploads;
  /** The unsent edits page by page, for a file that the person can download. */
  readonly unsentCopies: () => Promise<readonly UnsentCopy[]>;
  /** Pages with unsent edits. */
  readonly unsentPagesAtom: Atom<readonly Unsent[]>;
  /** Everything that signing out would delete, including the edits of other tabs. Refresh `unsent` before reading it. */
  readonly lostOnSignOutAtom: Atom<readonly Unsent[]>;
  readonly deviceReceiptAtom: Atom<ReceiptView>;
  /** How live updates fared on all pages since this tab was opened, or since the sign-in. */
  readonly readLiveCounts: () => LiveCounts;
  readonly pages: RefCounted<DocumentId, OpenPage>;
  readonly workspaces: RefCounted<Workspace['id'], OpenWorkspace>;
  readonly refreshWorkspaces: () => Promise<void>;
  /** Adds a workspace that this person just created or joined. */
  readonly addWorkspace: (workspace: Workspace) => void;
  /** The slug of the workspace they last used on this device. */
  readonly lastWorkspace: () => Promise<string | null>;
  readonly rememberWorkspace: (slug: string) => void;
  /** Sends the edits of pages that are not open. */
  readonly sendUnsent: () => void;
  /** The network is gone: refresh the lists, so that they notice. */
  readonly noteOffline: () => void;
  /** Retries everything that waits, because the sign-in was renewed or the network is back. */
  readonly retryAll: () => void;
  readonly close: () => Promise<void>;
  /** Call after `close`: deletes everything of this person on this device, unsent edits included. */
  readonly wipe: () => Promise<void>;
}

const PAGE_LINGERS_MS = 2_000;
const WORKSPACE_LINGERS_MS = 5_000;
/** Not urgent, and one member per day is enough. */
const PURGES_AFTER_MS = 60_000;
const PURGES_EVERY_MS = 24 * 60 * 60 * 1_000;
const PURGED_AT = 'purged-at';
const LAST_WORKSPACE = 'last-workspace';

export function personState(identity: Identity, ports: PersonPorts): PersonState {
  const { directory, listCache, timing } = ports;
  const store = createStore();
  const people = cachedPeople({ store, listCache, fetch: (users) => directory.profiles(users) });
  people.ensureLoaded([identity.id]);
  const unsent = watchUnsent({
    store,
    timing,
    documents: ports.cachedDocuments,
    isOpenHere: (document) => pages.peek(document) !== null,
    onRefreshed: () => sender.send(),
  });
  /** Reads everything that waits on this device again, including what other tabs added. */
  const refreshPending = () => Promise.all([unsent.refresh(), pending.refresh(), uploadQueue.refresh()]);
  const otherTabs = watchOtherTabs({
    port: ports.crossTabEvents,
    after: timing.after,
    refresh: () => void refreshPending(),
  });
  const list = cachedList({
    store,
    listCache,
    key: 'workspaces',
    fetch: () => directory.workspaces(),
    parse: parseStoredWorkspaces,
    timing,
  });
  const known = (id: Workspace['id']): Workspace | undefined =>
    store.get(list.atom).value?.find((workspace) => workspace.id === id);

  const cached = cachedPages({
    store,
    cachedDocuments: ports.cachedDocuments,
    capBytes: ports.capBytes,
    after: timing.after,
  });
  const pending = pendingPages({
    store,
    queue: ports.pendingPages,
    directory,
    timing,
    onCreated(page) {
      workspaces.peek(page.workspaceId)?.put(page);
      // Its edits can be sent now, whether the page is open or not.
      pages.peek(page.id)?.retry();
      // The server answers.
      sender.resume();
      void unsent.refresh();
    },
    async onSettled(documents) {
      for (const document of documents) pages.peek(document)?.retry();
      await Promise.all(workspaces.openValues().map((workspace) => workspace.refresh()));
    },
    onChanged: otherTabs.changed,
  });
  const { cache: fileCache, storage, sourceOf, maker, objectUrls } = ports.files;
  const uploadQueue = uploads({
    store,
    fileCache,
    storage,
    timing,
    ensurePageCreated: (document) => pending.create(document),
    onChanged: otherTabs.changed,
  });
  const openPagesAtom = atom<readonly OpenPage[]>([]);
  let closedLiveCounts = NO_LIVE_COUNTS;
  const pages: RefCounted<DocumentId, OpenPage> = refCounted({
    open: (documentId: DocumentId, closing) =>
      openPage({
        documentId,
        store,
        timing,
        async open(id) {
          await closing;
          return ports.openSession(id, () => pending.create(id));
        },
        pendingAtom: atom((get) => pendingPage(get(pending.atom), documentId)),
        waitingFilesAtom: atom((get) => waitingFiles(get(uploadQueue.atom), documentId)),
        files: pageFiles({
          document: documentId,
          source: sourceOf(documentId),
          fileCache,
          uploads: uploadQueue,
          maker,
          objectUrls,
          store,
          timing,
        }),
        onUnsentChanged: otherTabs.changed,
        onShown: cached.noteOpened,
        onEdited: () => ports.cachedDocuments.noteEdited(),
        onAccessLost: () => {
          void cached.noteAccessLost(documentId);
          for (const workspace of workspaces.openValues()) void workspace.refresh();
        },
        onTitleChanged: (title) => pending.saveTitle(documentId, title),
      }),
    async close(page) {
      closedLiveCounts = sumOfLiveCounts([closedLiveCounts, page.readLiveCounts()]);
      await page.close();
      sender.closed(page);
      // Any tab may send its edits now.
      otherTabs.changed();
      void unsent.refresh();
    },
    lingerMs: PAGE_LINGERS_MS,
    after: timing.after,
    changed: () => store.set(openPagesAtom, pages.openValues()),
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
        listCache,
        people,
        timing,
        pendingPages: pending,
        cachedPagesAtom: cached.atom,
        onPageGone: (document) =>
          void ports.cachedDocuments.forgetIfClosed(document).then(cached.refresh, () => undefined),
      });
    },
    close: async (workspace) => workspace.close(),
    lingerMs: WORKSPACE_LINGERS_MS,
    after: timing.after,
  });
  const unsentPages = unsentPagesAtom(
    openPagesAtom,
    storedUnsentAtom(unsent.shownAtom, pending.atom, uploadQueue.atom),
  );
  const lostOnSignOut = lostOnSignOutAtom(unsentPages, storedUnsentAtom(unsent.atom, pending.atom, uploadQueue.atom));
  const sender = unsentSender({
    store,
    pages,
    timing,
    unsent: () => store.get(unsent.atom),
    isElsewhere: unsent.isOpenElsewhere,
  });
  void unsent.refresh();
  const stopPurging = timing.after(PURGES_AFTER_MS, () => void purge());
  const purge = async () => {
    const at = await listCache.load(PURGED_AT);
    if (typeof at === 'number' && timing.now() - at < PURGES_EVERY_MS) return;
    const purged = await storage.purge();
    if (purged.ok) await listCache.save(PURGED_AT, timing.now());
  };

  return {
    identity,
    store,
    directory,
    people,
    workspacesAtom: list.atom,
    openPagesAtom,
    unsent,
    cachedPages: cached,
    pendingPages: {
      ...pending,
      async drop(id) {
        for (const { file } of store.get(uploadQueue.atom).values())
          if (file.document === id) uploadQueue.cancel(file.id);
        await pending.drop(id);
      },
    },
    uploads: uploadQueue,
    async unsentCopies() {
      await unsent.refresh();
      const copies = store.get(lostOnSignOut).map(async ({ document }) => {
        const page = pages.peek(document);
        // Edits that only this tab has are not on the device. Otherwise the device knows about all tabs.
        const stored = page?.getView().receipt === 'tab' ? null : ports.cachedDocuments.copyOf(document);
        return (await stored?.catch(() => null)) ?? page?.unsentCopy() ?? null;
      });
      return (await Promise.all(copies)).filter((copy) => copy !== null);
    },
    unsentPagesAtom: unsentPages,
    lostOnSignOutAtom: lostOnSignOut,
    deviceReceiptAtom: deviceReceiptAtom(openPagesAtom, unsentPages),
    readLiveCounts: () =>
      sumOfLiveCounts([closedLiveCounts, ...pages.openValues().map((page) => page.readLiveCounts())]),
    pages,
    workspaces,
    refreshWorkspaces: list.refresh,
    addWorkspace: (workspace) => list.amend((before) => [...before.filter(({ id }) => id !== workspace.id), workspace]),
    async lastWorkspace() {
      const slug = await listCache.load(LAST_WORKSPACE);
      return typeof slug === 'string' ? slug : null;
    },
    rememberWorkspace: (slug) => void listCache.save(LAST_WORKSPACE, slug),
    sendUnsent: () => void unsent.refresh(),
    noteOffline() {
      for (const workspace of workspaces.openValues()) void workspace.refresh();
    },
    retryAll() {
      sender.resume();
      // Closed tabs may have left something.
      void unsent.refresh();
      void pending.refresh().then(pending.createAll);
      void uploadQueue.refresh().then(uploadQueue.sendAll);
      for (const page of pages.openValues()) page.retry();
      for (const workspace of workspaces.openValues()) void workspace.refresh();
      void list.refresh();
    },
    async close() {
      list.close();
      otherTabs.close();
      unsent.close();
      pending.close();
      uploadQueue.close();
      stopPurging();
      cached.close();
      await Promise.all([pages.closeAll(), workspaces.closeAll()]);
    },
    async wipe() {
      await Promise.all([ports.cachedDocuments.forgetAll(), listCache.clear()]);
    },
  };
}
