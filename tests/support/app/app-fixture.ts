// The state of the app without a backend: accounts, lists, links and presence in memory, a virtual clock, and pages whose
// sessions are `pageSession`s. A test can make the server refuse calls or never answer.
import { bodyText } from 'weft-document/body/body-text.ts';
import { changeTitle, readTitle, textChange, titleText } from 'weft-document/title.ts';
import type { Unsent } from 'weft-sync/ports.ts';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import { type DocumentId, type UserId, parseDocumentId, parseUserId, type LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { newDoc } from 'weft-sync/updates/new-doc.ts';
import { encodeStateAsUpdate } from 'yjs';
import { type Result, err, ok } from '../../../src/lib/result.ts';
import { Subscribable } from '../../../src/lib/subscribable.ts';
import type { Account, Identity, ProviderSignIn, SignIn } from '../../../src/ports/account.ts';
import type { CommentChange } from '../../../src/ports/comments.ts';
import type {
  CachedDocument,
  HeldDocument,
  PageEntryChange,
  PendingPage,
  ListCache,
  Theme,
} from '../../../src/ports/device.ts';
import type { MemberLocation } from '../../../src/ports/streams.ts';
import type { Directory } from '../../../src/ports/workspace.ts';
import type {
  WorkspaceChange,
  DocumentSummary,
  Profile,
  ShareLink,
  TrashEntry,
  Workspace,
} from '../../../src/protocol/answers.ts';
import type { SignInError } from '../../../src/protocol/errors.ts';
import type { ActivityEntry, HomeSummary } from '../../../src/protocol/home-answers.ts';
import { parseInviteId, parseLinkId, parseLinkSecret, parseWorkspaceId } from '../../../src/protocol/ids.ts';
import type { SearchAnswer, SearchFilters } from '../../../src/protocol/search-answers.ts';
import { type AppState, appState } from '../../../src/state/app-state.ts';
import { personComments } from '../../../src/state/comments/person-comments.ts';
import { watchedFiles } from '../../../src/state/files/page-files.ts';
import type { PersonPorts } from '../../../src/state/person/person-ports.ts';
import type { Finding } from '../../../src/texts/project-findings.ts';
import type { Provider } from '../../../src/texts/provider-texts.ts';
import { type PageSession, pageSession } from '../editor/page-session.ts';
import { memoryAccess } from './memory-access.ts';
import { type CommentServer, memoryCommentQueue, memoryCommentServer, memoryComments } from './memory-comments.ts';
import { memoryCrossTabEvents } from './memory-cross-tab-events.ts';
import { memoryFileDevice, memoryStorage } from './memory-files.ts';
import { memoryHistory } from './memory-history.ts';
import { memoryInbox } from './memory-inbox.ts';
import { memoryMembership } from './memory-membership.ts';

const uuid = (kind: number, n: number) =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('not an id');
  return value;
};
export const userId = (n: number) => required(parseUserId(uuid(1, n)));
export const workspaceId = (n: number) => required(parseWorkspaceId(uuid(2, n)));
export const documentId = (n: number) => required(parseDocumentId(uuid(3, n)));
export const linkId = (n: number) => required(parseLinkId(uuid(4, n)));
export const inviteId = (n: number) => required(parseInviteId(uuid(7, n)));
export const secret = (character: string): LinkSecret => required(parseLinkSecret(character.repeat(22)));

export const alice: Identity = { id: userId(1), email: 'alice@weft.example', isGuest: false };
export const bob: Identity = { id: userId(2), email: 'bob@weft.example', isGuest: false };
export const profiles: readonly Profile[] = [
  { id: alice.id, displayName: 'Alice Nwosu', color: 'orchil' },
  { id: bob.id, displayName: 'Bob Holm', color: 'rust' },
  { id: userId(3), displayName: 'Carol Ng', color: 'orchil' },
];

export const northquay: Workspace = {
  id: workspaceId(1),
  name: 'Northquay',
  slug: 'northquay',
  epoch: 1,
  role: 'owner',
};

export function pageSummary(n: number, title: string, more: Partial<DocumentSummary> = {}): DocumentSummary {
  return {
    id: documentId(n),
    workspaceId: northquay.id,
    parentId: null,
    kind: 'page',
    title,
    icon: null,
    rank: `a${n}`,
    access: 'workspace',
    role: 'manager',
    createdAt: n * 1_000,
    updatedAt: n * 1_000,
    updatedBy: alice.id,
    visitedAt: null,
    favouriteRank: null,
    openThreads: 0,
    unreadThreads: 0,
    trashedAt: null,
    trashedBy: null,
    ...more,
  };
}

/** The list cache of a device. It stores copies, as IndexedDB does. A second fixture with it is the device after a restart. */
export function memoryListCache(): ListCache & { readonly entries: Map<string, unknown> } {
  const entries = new Map<string, unknown>();
  return {
    entries,
    load: async (key) => structuredClone(entries.get(key)),
    save: async (key, value) => void entries.set(key, structuredClone(value)),
    clear: async () => entries.clear(),
  };
}

/** The device storage of one person. A second fixture with it is the device after a restart. */
export const memoryDevice = (unsent: readonly Unsent[] = []) => ({
  unsent: [...unsent],
  cachedDocuments: [] as CachedDocument[],
  /** The texts of the documents. */
  texts: new Map<DocumentId, string>(),
  /** Accounts that were signed in here before and did not sign out. */
  former: [] as readonly Identity[],
  formerLists: [] as unknown[],
  movedFrom: [] as UserId[],
  /** The parts of pages that are here and were on the server. */
  held: new Map<DocumentId, HeldDocument>(),
  ofNewerApps: new Set<DocumentId>(),
  queue: new Map<DocumentId, PendingPage>(),
  changes: new Map<string, PageEntryChange>(),
  comments: new Map<string, CommentChange>(),
  /** The documents that are open, once for each tab. */
  open: [] as DocumentId[],
  /** When set, nothing can be stored. */
  isBroken: false,
  forgotten: 0,
  edited: 0,
});

export type AppFixture = ReturnType<typeof appFixture>;

type AppFixtureOptions = {
  readonly signIn?: SignIn;
  readonly listCache?: ReturnType<typeof memoryListCache>;
  readonly workspaces?: readonly Workspace[];
  /** Edits that wait in the device's outboxes. */
  readonly unsent?: readonly Unsent[];
  readonly device?: ReturnType<typeof memoryDevice>;
  /** The server refuses every call from the start. */
  readonly offline?: boolean;
  /** The view of a session when it opens. */
  readonly view?: Partial<SessionView>;
  /** Fixtures that share a browser and a device are tabs of that browser. */
  readonly browser?: ReturnType<typeof memoryBrowser>;
  /** Fixtures that share it show the same comments. */
  readonly comments?: CommentServer;
};

/** The clock and the events between tabs of one browser. */
export function memoryBrowser() {
  const clock = new SimClock();
  return { clock, crossTabEvents: memoryCrossTabEvents(clock) };
}

export function appFixture(start: AppFixtureOptions = {}) {
  const { clock, crossTabEvents } = start.browser ?? memoryBrowser();
  const listCache = start.listCache ?? memoryListCache();
  const server = {
    /** When set, every call answers with this error. */
    refusal: start.offline === true ? weftError('WF011') : (null as WeftError | null),
    /** Errors that single calls answer with, by name. */
    refusals: new Map<string, WeftError>(),
    workspaces: [...(start.workspaces ?? [northquay])],
    documents: [
      pageSummary(1, 'Plan for 14 June'),
      pageSummary(2, 'Minutes', { updatedBy: bob.id }),
    ] as DocumentSummary[],
    /** The stamps that requests for pages sent. */
    stamps: [] as (string | null)[],
    /** What entries of the trash say besides the page. */
    trashFacts: new Map<DocumentId, Partial<TrashEntry>>(),
    /** The pages that each request to empty the trash named. */
    emptied: [] as (readonly DocumentId[])[],
    links: [] as ShareLink[],
    /** The contents of pages that are read whole. */
    pages: new Map<DocumentId, () => ReturnType<typeof newDoc>>(),
    calls: [] as string[],
    /** The newest first. */
    activity: [] as ActivityEntry[],
    home: { chart: [], changes: [] } as HomeSummary,
    onSearch: (_query: string, _filters: SearchFilters): SearchAnswer => ({ total: 0, isComplete: true, results: [] }),
    /** The findings of a check of the server. */
    findings: [] as readonly Finding[],
    /** Calls by these names arrive once more, and their answer is lost. */
    lostAnswers: new Set<string>(),
    /** When set, no call is ever answered. */
    isSilent: false,
    /** Pages that the server has never heard of, since it went back in time. */
    /** The pages of each import. */
    announced: [] as (readonly DocumentId[])[],
    lost: new Set<DocumentId>(),
    /** Pages of which it has less than the device. */
    behind: new Set<DocumentId>(),
    made: [] as { id: DocumentId; parent: DocumentId | null }[],
  };
  const answer = <T>(name: string, value: () => T): Promise<Result<T, WeftError>> => {
    server.calls.push(name);
    if (server.isSilent) return new Promise(() => undefined);
    const refusal = server.refusal ?? server.refusals.get(name) ?? null;
    if (refusal !== null) return Promise.resolve(err(refusal));
    const answered = value();
    return Promise.resolve(server.lostAnswers.delete(name) ? err(weftError('WF011')) : ok(answered));
  };
  const changeDocument = (id: DocumentId, change: Partial<DocumentSummary>): DocumentSummary => {
    const at = server.documents.findIndex((one) => one.id === id);
    const changed = { ...required(server.documents[at] ?? null), ...change };
    server.documents[at] = changed;
    return changed;
  };
  const directory: Directory = {
    workspaces: () => answer('workspaces', () => [...server.workspaces]),
    documents: (id, since) =>
      answer('documents', () => ({
        workspace: required(server.workspaces.find((one) => one.id === id) ?? null),
        stamp: `${server.stamps.push(since)}`,
        isComplete: true,
        documents: server.documents.filter(({ trashedAt }) => trashedAt === null),
        removed: [],
      })),
    createWorkspace: (id, name, document) =>
      answer('createWorkspace', () => {
        const workspace = { id, name, slug: name.toLowerCase(), epoch: 1, role: 'owner' as const };
        server.workspaces.push(workspace);
        return { workspace, document };
      }),
    createDocument: ({ id, parent, rank, title = '' }) =>
      answer('createDocument', () => {
        server.made.push({ id, parent });
        const made = { ...pageSummary(99, title), id, parentId: parent, rank };
        server.documents.push(made);
        return made;
      }),
    announceImport: (_workspace, documents) => answer('announceImport', () => void server.announced.push(documents)),
    lostDocuments: (held) =>
      answer('lostDocuments', () => {
        const ids = Array.from(held.keys());
        return { lost: ids.filter((id) => server.lost.has(id)), ahead: ids.filter((id) => server.behind.has(id)) };
      }),
    makeDocumentAgain: ({ id, parent, rank, title, access }) =>
      answer('makeDocumentAgain', () => {
        server.made.push({ id, parent });
        server.lost.delete(id);
        const made = { ...pageSummary(99, title), id, parentId: parent, rank, access };
        server.documents.push(made);
        return made;
      }),
    moveDocument: (id, parent, rank) => answer('moveDocument', () => changeDocument(id, { parentId: parent, rank })),
    setDocumentIcon: (id, icon) => answer('setDocumentIcon', () => changeDocument(id, { icon })),
    setDocumentTemplate: (id, isTemplate) =>
      answer('setDocumentTemplate', () => changeDocument(id, { kind: isTemplate ? 'template' : 'page' })),
    trashDocument: (id) =>
      answer('trashDocument', () => {
        const gone = new Set([id]);
        for (const page of server.documents) if (page.parentId !== null && gone.has(page.parentId)) gone.add(page.id);
        for (const page of gone) changeDocument(page, { trashedAt: clock.now(), trashedBy: alice.id });
        return { pages: gone.size };
      }),
    restoreDocument: (id) => answer('restoreDocument', () => changeDocument(id, { trashedAt: null, trashedBy: null })),
    purgeDocument: (id) =>
      answer('purgeDocument', () => {
        server.documents = server.documents.filter((one) => one.id !== id);
        return { pages: 1 };
      }),
    emptyTrash: (_workspace, ids) =>
      answer('emptyTrash', () => {
        server.emptied.push(ids);
        const before = server.documents.length;
        server.documents = server.documents.filter((one) => one.trashedAt === null || !ids.includes(one.id));
        return { pages: before - server.documents.length };
      }),
    trash: () =>
      answer('trash', () =>
        server.documents.flatMap((document) =>
          document.trashedAt === null
            ? []
            : [
                {
                  document,
                  trashedAt: document.trashedAt,
                  trashedBy: document.trashedBy,
                  pages: 0,
                  parentTitle: null,
                  restoresToTop: true,
                  files: 0,
                  isEmpty: false,
                  mayPurge: true,
                  ...server.trashFacts.get(document.id),
                },
              ],
        ),
      ),
    profiles: (users) => answer('profiles', () => profiles.filter((one) => users.includes(one.id))),
    updateProfile: (displayName, color) => answer('updateProfile', () => ({ id: alice.id, displayName, color })),
    links: () => answer('links', () => [...server.links]),
    createLink: (document, role, expiresAt, name = null, showsHistory = false) =>
      answer('createLink', () => {
        const n = server.links.length + 1;
        const link: ShareLink = {
          id: linkId(n),
          documentId: document,
          role,
          expiresAt,
          revokedAt: null,
          createdBy: alice.id,
          createdAt: clock.now() + n,
          name,
          uses: 0,
          history: showsHistory,
        };
        server.links.push(link);
        return { link, secret: secret(String(n)) };
      }),
    revokeLink: (link) =>
      answer('revokeLink', () => {
        server.links = server.links.filter(({ id }) => id !== link);
      }),
    redeemLink: () =>
      answer('redeemLink', () => ({ document: documentId(1), workspaceSlug: northquay.slug, role: 'editor' as const })),
  };

  const { state: people, membership } = memoryMembership(alice.id, answer);
  const { state: access, access: pageAccess } = memoryAccess(answer, () => void (server.links = []));
  const { state: inbox, inbox: inboxPort } = memoryInbox(answer);
  const comments = start.comments ?? memoryCommentServer(() => clock.now());
  const memory = memoryHistory(alice.id, () => clock.now());

  /** The workspace's topic. `sendChange` and `sendLocations` reach the stream that is open. */
  const stream = {
    opened: [] as number[],
    currentPages: [] as (DocumentId | null)[],
    /** Whether this person announced last that they only read. */
    isReading: true,
    sendChange: (_change: WorkspaceChange): void => undefined,
    sendLocations: (_people: readonly MemberLocation[] | null): void => undefined,
    catchUp: (): void => undefined,
  };
  /** The person's own topic. `sendChange` and `catchUp` reach the stream that is open. */
  const personStream = {
    isOpen: false,
    sendChange: (_change: WorkspaceChange): void => undefined,
    catchUp: (): void => undefined,
  };
  const sessions = new Map<DocumentId, PageSession>();
  const device = start.device ?? memoryDevice(start.unsent);
  const forget = (id: DocumentId, isOpen: boolean) => {
    const one = device.cachedDocuments.find(({ document }) => document === id);
    if (isOpen || one?.isUnsent === true) return false;
    device.cachedDocuments = device.cachedDocuments.filter((other) => other !== one);
    return true;
  };
  const { storage, sourceOf, server: storageServer } = memoryStorage();
  const objectUrls = { create: async () => 'blob:test', revoke: () => undefined };
  const timing = {
    now: () => clock.now(),
    after: (ms: number, run: () => void) => clock.after(ms, run),
    random: () => 0.5,
  };
  const portsOf = (): PersonPorts => ({
    files: {
      storage,
      sourceOf,
      fileCache: memoryFileDevice().fileCache,
      maker: {
        make: async ({ type }) => (type === 'image/svg+xml' ? null : { width: 640, height: 480, parts: [] }),
      },
      objectUrls,
    },
    directory,
    inbox: inboxPort,
    home: {
      activity: (_workspace, before, limit) =>
        answer('activity', () => {
          const from = before === null ? 0 : server.activity.findIndex(({ id }) => id === before) + 1;
          return server.activity.slice(from, from + limit);
        }),
      summary: () => answer('homeSummary', () => server.home),
      markVisited: (_document, seq) =>
        answer('markVisited', () => ({ seenSeq: seq, seenAt: clock.now(), before: null })),
      setFavourite: (page, rank) => answer('setFavourite', () => void changeDocument(page, { favouriteRank: rank })),
    },
    search: { search: (_id, query, filters = {}) => answer('search', () => server.onSearch(query, filters)) },
    membership,
    ownAccount: {
      setPicture: (profile, picture) =>
        answer('setPicture', () => ({
          ...profile,
          id: alice.id,
          avatarPath: picture === null ? null : `${alice.id}/picture`,
        })),
      picture: () => answer('picture', () => new Blob(['picture'])),
      deleteAccount: () => answer('deleteAccount', () => undefined),
    },
    formerAccounts: {
      list: () => device.former,
      async move(account) {
        device.former = device.former.filter(({ id }) => id !== account);
        device.movedFrom.push(account);
        return device.formerLists;
      },
      async discard(account) {
        device.former = device.former.filter(({ id }) => id !== account);
      },
    },
    changesSince: async () => null,
    histories: memory.histories,
    openComments: async () => (options) =>
      personComments({
        ...options,
        comments: memoryComments(comments, options.me, answer),
        queue: memoryCommentQueue(device),
      }),
    pageReader: {
      read: (id) => answer('readPage', () => server.pages.get(id)?.() ?? newDoc(0)),
      file: () => answer('readFile', () => new Blob(['bytes'])),
    },
    makeAvatar: async (file) => (file.type.startsWith('image/') ? file : null),
    access: pageAccess,
    listCache,
    timing,
    capBytes: 1_000,
    cachedDocuments: {
      unsent: async () => device.unsent,
      openDocuments: async () => new Set(device.open),
      list: async () => device.cachedDocuments,
      forgetIfClosed: async (id) => forget(id, sessions.has(id)),
      forgetIfSent: async (id) => forget(id, false),
      held: async (document) => device.held.get(document) ?? null,
      canBeMadeAgain: async (document) => !device.ofNewerApps.has(document),
      textOf: async (document) => device.texts.get(document) ?? null,
      async discardIfClosed(id) {
        if (sessions.has(id)) return false;
        device.cachedDocuments = device.cachedDocuments.filter(({ document }) => document !== id);
        device.unsent = device.unsent.filter(({ document }) => document !== id);
        device.queue.delete(id);
        return true;
      },
      copyOf: async (document) => ({ document, title: `Copy of ${document}`, text: 'words', edits: 1, update: '' }),
      noteEdited: () => void device.edited++,
      forgetAll: async () => {
        device.unsent = [];
        device.cachedDocuments = [];
        device.queue.clear();
        device.comments.clear();
        device.forgotten++;
      },
    },
    crossTabEvents,
    pendingPages: {
      async add(one) {
        if (device.isBroken) throw new Error('the device stores nothing');
        device.queue.set(one.id, one);
        device.cachedDocuments.push({ document: one.id, openedAt: one.madeAt, bytes: 100, isUnsent: true });
      },
      async addLost(one) {
        if (!device.queue.has(one.id)) device.queue.set(one.id, one);
      },
      list: async () => Array.from(device.queue.values()),
      get: async (id) => device.queue.get(id) ?? null,
      async change(id, what) {
        const one = device.queue.get(id);
        if (one !== undefined) device.queue.set(id, { ...one, ...what });
      },
      remove: async (id) => void device.queue.delete(id),
      drop: async (id) => {
        device.queue.delete(id);
        device.cachedDocuments = device.cachedDocuments.filter(({ document }) => document !== id);
      },
    },
    pageChanges: {
      async put(one, replaced) {
        if (device.isBroken) throw new Error('the device stores nothing');
        for (const key of replaced) device.changes.delete(key);
        device.changes.set(one.key, one);
      },
      list: async () => Array.from(device.changes.values()),
      keys: async () => new Set(device.changes.keys()),
      remove: async (key) => void device.changes.delete(key),
    },
    stream: {
      open(workspace, on) {
        stream.opened.push(workspace.epoch);
        stream.sendChange = (change) => on.change(change);
        stream.sendLocations = (people) => on.locations(people);
        stream.catchUp = () => on.caughtUp();
        return {
          setCurrentPage: (page, isReading) => {
            stream.currentPages.push(page);
            stream.isReading = isReading;
          },
          close: () => void stream.opened.push(-1),
        };
      },
    },
    personStream: {
      open(on) {
        personStream.isOpen = true;
        personStream.sendChange = (change) => on.change(change);
        personStream.catchUp = () => on.caughtUp();
        return { close: () => void (personStream.isOpen = false) };
      },
    },
    async openSession(id, beforeOpen) {
      const session = pageSession();
      session.setView(start.view ?? {});
      sessions.set(id, session);
      device.open.push(id);
      void beforeOpen();
      return {
        session,
        readTitle: titleText,
        writeTitle: (doc, title) => changeTitle(doc, textChange(readTitle(doc), title)),
        readText: bodyText,
        readState: (doc) => new Uint8Array(encodeStateAsUpdate(doc)),
        release() {
          sessions.delete(id);
          device.open.splice(device.open.indexOf(id), 1);
        },
      };
    },
  });

  let signIn: SignIn = start.signIn ?? { status: 'signedIn', identity: alice };
  const listeners = new Set<() => void>();
  const setSignIn = (next: SignIn) => {
    signIn = next;
    for (const run of listeners) run();
  };
  const sentEmails: { readonly kind: 'sign-in' | 'reset'; readonly email: string; readonly next: string | null }[] = [];
  /** The answer of calls to the sign-in service that have no value. */
  const signInService: { answer: Result<void, SignInError>; endedElsewhere: number } = {
    answer: ok(undefined),
    endedElsewhere: 0,
  };
  const account: Account = {
    allowsGuests: true,
    inbox: null,
    getState: () => signIn,
    subscribe(run) {
      listeners.add(run);
      return () => listeners.delete(run);
    },
    async signUp() {
      setSignIn({ status: 'signedIn', identity: alice });
      return ok({ needsConfirmation: false });
    },
    async signIn(_email, password) {
      if (password === 'wrong') return err({ problem: 'credentials', detail: '' });
      setSignIn({ status: 'signedIn', identity: alice });
      return ok(undefined);
    },
    async continueAsGuest() {
      setSignIn({ status: 'signedIn', identity: { id: userId(3), email: null, isGuest: true } });
      return ok(undefined);
    },
    async sendLink(email, next) {
      sentEmails.push({ kind: 'sign-in', email, next });
      return signInService.answer;
    },
    async sendReset(email) {
      sentEmails.push({ kind: 'reset', email, next: null });
      return signInService.answer;
    },
    async enterCode(_email, code) {
      if (code !== '123456') return err({ problem: 'badCode', detail: '' });
      setSignIn({ status: 'signedIn', identity: alice });
      return ok(undefined);
    },
    async finishLink() {
      if (signInService.answer.ok) setSignIn({ status: 'signedIn', identity: alice });
      return signInService.answer;
    },
    async changePassword() {
      return signInService.answer;
    },
    async sendInvite() {
      return signInService.answer;
    },
    async becomeAccount(email) {
      if (!signInService.answer.ok) return signInService.answer;
      if (signIn.status === 'signedIn')
        setSignIn({ status: 'signedIn', identity: { ...signIn.identity, email, isGuest: false } });
      return ok({ needsConfirmation: false });
    },
    async signOutElsewhere() {
      signInService.endedElsewhere++;
      return signInService.answer;
    },
    async signOut() {
      setSignIn({ status: 'signedOut' });
    },
  };

  /** Sign-in with other services: those that are on, and where people left for. */
  const services = {
    on: [] as readonly Provider[],
    answer: ok(undefined) as Awaited<ReturnType<ProviderSignIn['signIn']>>,
    left: [] as { readonly by: 'signIn' | 'link'; readonly provider: Provider; readonly next: string }[],
    next: null as string | null,
  };
  const leave = (by: 'signIn' | 'link') => async (provider: Provider, next: string) => {
    if (services.answer.ok) services.left.push({ by, provider, next });
    return services.answer;
  };
  const providerSignIn: ProviderSignIn = {
    providers: async () => services.on,
    signIn: leave('signIn'),
    link: leave('link'),
    takeReturn: () => services.next,
  };

  let theme: Theme = 'system';
  const themeChanges = new Subscribable();
  const watch = {
    view: {
      phase: 'opening',
      documentId: null,
      title: '',
      role: null,
      changedAt: null,
      error: null,
      presenter: null,
      showsHistory: false,
      comments: null,
    } as ReturnType<WatchSession['getView']>,
  };
  const app: AppState = appState({
    account,
    providerSignIn: async () => providerSignIn,
    theme: {
      get: () => theme,
      set: (next) => void (theme = next),
      onChange: (run) => void themeChanges.subscribe(run),
    },
    readInvite: (link) => membership.inviteInfo(link),
    inspectProject: async () => server.findings,
    portsOf,
    reload: () => undefined,
    after: (ms, run) => clock.after(ms, run),
    openLinkHistory: memory.openLinkHistory,
    openLinkComments: async () => {
      throw new Error('no link of these tests shows comments');
    },
    linkVisits: async () => ({ follow: () => () => undefined }),
    openLinkFiles: () => watchedFiles({ source: sourceOf(documentId(1)), objectUrls, timing }),
    environment: { onChange: () => () => undefined },
    openWatch: async () => ({
      doc: newDoc(),
      shownAt: null,
      shownSeq: 0,
      getView: () => watch.view,
      subscribe: () => () => undefined,
      setStance: () => undefined,
      retry: () => undefined,
      close: () => undefined,
    }),
  });
  /** From now on every call is refused with WF011. */
  const goOffline = () => void (server.refusal = weftError('WF011'));
  const goOnline = () => void (server.refusal = null);
  return {
    /** The server's storage of pictures and files. */
    storage: storageServer,
    app,
    clock,
    server,
    listCache,
    stream,
    personStream,
    sessions,
    device,
    sentEmails,
    /** The rows, editing sessions and versions of every page's history. */
    history: memory.history,
    signInService,
    services,
    setSignIn,
    /** Members and invitations as the server has them. */
    people,
    /** Access to pages, and requests for it, as the server has them. */
    access,
    /** This person's notifications. */
    inbox,
    comments,
    goOffline,
    goOnline,
    watch,
    /** Another tab chooses the theme. */
    setThemeElsewhere(next: Theme) {
      theme = next;
      themeChanges.notify();
    },
  };
}
