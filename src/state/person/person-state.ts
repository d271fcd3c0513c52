// The state of one signed-in person: their workspaces, the people they meet, their open pages. Created at sign-in and
// closed when they leave, so two people on one device never share it. Each part has a file of its own; here they are connected.
import { type Atom, createStore } from 'jotai/vanilla';
import type { Cancel } from '../../lib/cancel.ts';
import type { Workspace, WorkspaceChange } from '../../protocol/answers.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import type { RefCounted } from '../../lib/async/ref-counted.ts';
import type { Unsent } from '../../sync/ports.ts';
import { type PersonPageFiles, pageFiles } from '../files/page-files.ts';
import type { Uploads } from '../files/uploads.ts';
import type { ListState, Timing } from '../offline/cached-list.ts';
import { type CachedPages, cachedPages } from '../offline/cached-pages.ts';
import type { LiveCounts } from '../page/live-counts.ts';
import type { OpenPage } from '../page/open-page.ts';
import { type People, cachedPeople } from '../people/people.ts';
import { type PersonPictures, personPictures } from '../people/person-pictures.ts';
import type { Directory, Home, Inbox, Membership, PageAccess, PageSearch } from '../../ports/workspace.ts';
import type { Identity } from '../../ports/account.ts';
import type { ListCache, UnsentCopy } from '../../ports/device.ts';
import type { AtomStore } from '../store.ts';
import type { OpenWorkspace } from '../workspace/open-workspace.ts';
import { renamePage } from '../page/rename-page.ts';
import { lostPages } from '../workspace/lost-pages.ts';
import type { PageEntryChanges } from '../workspace/page-changes.ts';
import type { PendingPages } from '../workspace/pending-pages.ts';
import {
  type ReceiptView,
  deviceReceiptAtom,
  lostOnSignOutAtom,
  storedUnsentAtom,
  unsentPagesAtom,
} from './device-receipt.ts';
import { deviceQueues } from './device-queues.ts';
import { type Former, formerAccounts } from './former-accounts.ts';
import { personPages } from './person-pages.ts';
import type { PersonPorts } from './person-ports.ts';
import { personWorkspaces } from './person-workspaces.ts';
import { purgeFilesLater } from './purge-files.ts';
import { unsentSender } from './send-unsent.ts';
import type { UnsentEdits } from './unsent-edits.ts';
import { type Visits, visits } from './visits.ts';

export interface PersonState {
  readonly identity: Identity;
  readonly store: AtomStore;
  readonly directory: Directory;
  readonly search: PageSearch;
  readonly inbox: Inbox;
  readonly home: Home;
  readonly membership: Membership;
  readonly access: PageAccess;
  readonly ownAccount: PersonPorts['ownAccount'];
  /** Other accounts that were signed in here before and did not sign out. */
  readonly former: Former;
  readonly makeAvatar: PersonPorts['makeAvatar'];
  readonly pageReader: PersonPorts['pageReader'];
  /** The pictures and files of a page that need not be open. Close them after use. */
  readonly filesOf: (document: DocumentId) => PersonPageFiles;
  readonly changesSince: PersonPorts['changesSince'];
  readonly histories: PersonPorts['histories'];
  readonly people: People;
  readonly pictures: PersonPictures;
  readonly workspacesAtom: Atom<ListState<readonly Workspace[]>>;
  readonly openPagesAtom: Atom<readonly OpenPage[]>;
  readonly unsent: UnsentEdits;
  /** Pages that open without network. */
  readonly cachedPages: CachedPages;
  /** The text of such a page, one line per block. Null if it is not on this device. */
  readonly textOnDevice: (document: DocumentId) => Promise<string | null>;
  readonly pendingPages: PendingPages;
  /** Moves and trashings that the server does not have yet. */
  readonly pageChanges: PageEntryChanges;
  /** This person's newest visit of each page. */
  readonly visits: Pick<Visits, 'see' | 'leave' | 'lastVisit'>;
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
  /** Removes a workspace that this person just left or deleted. Resolves when no answer on its way can bring it back. */
  readonly removeWorkspace: (workspace: Workspace['id']) => Promise<void>;
  /** The slug of the workspace they last used on this device. */
  readonly lastWorkspace: () => Promise<string | null>;
  readonly rememberWorkspace: (slug: string) => void;
  /** Runs at each change on the person's own stream; with null when some may have been missed. Until it is cancelled. */
  readonly onChange: (run: (change: WorkspaceChange | null) => void) => Cancel;
  readonly listCache: ListCache;
  readonly timing: Timing;
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

export function personState(identity: Identity, ports: PersonPorts): PersonState {
  const { directory, listCache, timing, cachedDocuments } = ports;
  const store = createStore();
  const people = cachedPeople({ store, listCache, fetch: (users) => directory.profiles(users) });
  people.ensureLoaded([identity.id]);
  const pictures = personPictures({
    fetch: (path) => ports.ownAccount.picture(path),
    objectUrls: ports.files.objectUrls,
  });
  const queues = deviceQueues({
    store,
    ports,
    isOpenHere: (document) => pages.peek(document) !== null,
    editsSent: (document) => editsSent(document),
    onUnsentRefreshed: () => sender.send(),
    onPageCreated(page, isMadeAgain) {
      workspaces.putPage(page);
      // Its edits can be sent now, whether the page is open or not.
      pages.peek(page.id)?.retry();
      if (isMadeAgain) sender.putBack(page.id);
      // The server answers again.
      sender.resume();
    },
    async onPagesSettled(documents) {
      for (const document of documents) pages.peek(document)?.retry();
      await workspaces.refreshOpen();
    },
    async onPageChanged(page) {
      if (page !== null) workspaces.putPage(page);
      await workspaces.refreshOpen();
    },
  });
  const { unsent, uploads, pendingPages, pageChanges } = queues;
  const cached = cachedPages({ store, cachedDocuments, capBytes: ports.capBytes, after: timing.after });
  const filesOf = (document: DocumentId) =>
    pageFiles({
      document,
      source: ports.files.sourceOf(document),
      fileCache: ports.files.cache,
      uploads,
      maker: ports.files.maker,
      objectUrls: ports.files.objectUrls,
      store,
      timing,
    });
  const { pages, openPagesAtom, editsSent, readLiveCounts } = personPages({
    store,
    ports,
    queues,
    filesOf,
    onShown: cached.noteOpened,
    onAccessLost(document) {
      void lost.mayForget(document).then((mayForget) => (mayForget ? cached.noteAccessLost(document) : undefined));
      void workspaces.refreshOpen();
    },
    onClosed: (page) => sender.closed(page),
  });
  const lost = lostPages({
    directory,
    cachedDocuments,
    pendingPages,
    timing,
    onQueued(document) {
      const page = pages.peek(document);
      page?.retry();
      void page?.reopen();
    },
    onAhead: (document) => sender.putBack(document),
    forget: (document) => void cachedDocuments.forgetIfClosed(document).then(cached.refresh, () => undefined),
  });
  const seen = visits({
    store,
    home: ports.home,
    listCache,
    timing,
    onVisited: (page, seenAt) => workspaces.noteVisit(page, seenAt),
  });
  const workspaces = personWorkspaces({
    identity,
    store,
    ports,
    people,
    pendingPages,
    changes: pageChanges,
    renamePage: (page, title) => renamePage({ pages, store, after: timing.after }, page, title),
    waitingVisitsAtom: seen.waitingAtom,
    cachedPagesAtom: cached.atom,
    onPagesGone: (gone) => lost.listsLack(gone),
  });
  const unsentPages = unsentPagesAtom(
    openPagesAtom,
    storedUnsentAtom(unsent.shownAtom, pendingPages.atom, pageChanges.atom, uploads.atom),
  );
  const lostOnSignOut = lostOnSignOutAtom(
    unsentPages,
    storedUnsentAtom(unsent.atom, pendingPages.atom, pageChanges.atom, uploads.atom),
  );
  const sender = unsentSender({
    store,
    pages,
    timing,
    unsent: () => store.get(unsent.atom),
    isElsewhere: unsent.isOpenElsewhere,
  });
  void unsent.refresh();
  const former = formerAccounts({
    identity,
    store,
    port: ports.formerAccounts,
    async onMoved(gone) {
      queues.retryAll();
      await Promise.all([cached.refresh(), unsent.refresh()]);
      lost.listsLack(gone);
    },
  });
  const stopPurging = purgeFilesLater({ storage: ports.files.storage, listCache, timing });

  return {
    identity,
    store,
    directory,
    search: ports.search,
    inbox: ports.inbox,
    home: ports.home,
    membership: ports.membership,
    ownAccount: ports.ownAccount,
    former,
    makeAvatar: ports.makeAvatar,
    pageReader: ports.pageReader,
    filesOf,
    changesSince: ports.changesSince,
    histories: ports.histories,
    access: ports.access,
    people,
    pictures,
    workspacesAtom: workspaces.listAtom,
    openPagesAtom,
    unsent,
    cachedPages: cached,
    textOnDevice: (document) => cachedDocuments.textOf(document).catch(() => null),
    pendingPages: { ...pendingPages, drop: queues.dropPage },
    pageChanges,
    visits: seen,
    uploads,
    async unsentCopies() {
      await unsent.refresh();
      const copies = store.get(lostOnSignOut).map(async ({ document }) => {
        const page = pages.peek(document);
        // Edits that only this tab has are not on the device. Otherwise the device knows about all tabs.
        const stored = page?.getView().receipt === 'tab' ? null : cachedDocuments.copyOf(document);
        return (await stored?.catch(() => null)) ?? page?.unsentCopy() ?? null;
      });
      return (await Promise.all(copies)).filter((copy) => copy !== null);
    },
    unsentPagesAtom: unsentPages,
    lostOnSignOutAtom: lostOnSignOut,
    deviceReceiptAtom: deviceReceiptAtom(openPagesAtom, unsentPages),
    readLiveCounts,
    pages,
    workspaces: workspaces.open,
    refreshWorkspaces: workspaces.refreshList,
    addWorkspace: workspaces.add,
    removeWorkspace: workspaces.remove,
    lastWorkspace: workspaces.last,
    rememberWorkspace: workspaces.rememberLast,
    onChange: workspaces.onChange,
    listCache,
    timing,
    sendUnsent: () => void unsent.refresh(),
    noteOffline: workspaces.noteOffline,
    retryAll() {
      sender.resume();
      queues.retryAll();
      lost.retry();
      seen.sendAll();
      pictures.retry();
      for (const page of pages.openValues()) page.retry();
      void workspaces.refreshOpen();
      void workspaces.refreshList();
    },
    async close() {
      queues.close();
      lost.close();
      pictures.close();
      stopPurging();
      seen.close();
      cached.close();
      await Promise.all([pages.closeAll(), workspaces.close()]);
    },
    async wipe() {
      await Promise.all([cachedDocuments.forgetAll(), listCache.clear()]);
    },
  };
}
