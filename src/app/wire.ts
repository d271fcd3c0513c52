// Connects platform, sync and state. This is the only file that imports all three.
import { forgetRecoveredText } from '../editor/recovered-text/recovered-text-store.ts';
import { forgetOpenings } from '../features/safe-view/opening-marker.ts';
import { browserClock, browserRandom } from '../platform/browser/clock.ts';
import { browserCrossTabEvents } from '../platform/browser/tabs/cross-tab-events.ts';
import { documentLocks } from '../platform/browser/tabs/document-locks.ts';
import { fileCache } from '../platform/browser/storage/file-cache.ts';
import { idbStore } from '../platform/browser/storage/idb-store.ts';
import { cachedDocuments } from '../platform/browser/storage/cached-documents.ts';
import { listCache } from '../platform/browser/storage/list-cache.ts';
import { browserLocks } from '../platform/browser/tabs/locks.ts';
import { pageChangeQueue } from '../platform/browser/storage/page-change-queue.ts';
import { pendingPageQueue } from '../platform/browser/storage/pending-page-queue.ts';
import { askToPersistOnce } from '../platform/browser/storage/persistence.ts';
import { objectUrls } from '../platform/browser/object-urls.ts';
import { browserTabs } from '../platform/browser/tabs/tab-channel.ts';
import { deviceName } from '../platform/browser/storage/device-name.ts';
import { deviceStorage } from '../platform/browser/storage/shared-storage.ts';
import { browserEnvironment } from '../platform/browser/environment.ts';
import { browserTheme } from '../platform/browser/theme-choice.ts';
import { weftDatabase } from '../platform/browser/storage/weft-database.ts';
import { signOutMarker } from '../platform/browser/storage/sign-out-marker.ts';
import { supabaseAccount } from '../platform/supabase/account.ts';
import { supabaseAttachments, supabaseLinkFiles } from '../platform/supabase/attachments.ts';
import { projectKey, supabaseClient } from '../platform/supabase/client.ts';
import { askDatabaseIdentity } from '../platform/supabase/database-identity.ts';
import { lazyPort } from '../platform/supabase/lazy-port.ts';
import { supabaseDirectory } from '../platform/supabase/directory.ts';
import { ServerClock } from '../platform/supabase/server-clock.ts';
import { projectInspector } from '../platform/supabase/inspection/project-inspector.ts';
import type { RecentCalls } from '../platform/supabase/recent-calls.ts';
import { rememberedIdentity } from '../platform/supabase/remembered-identity.ts';
import { supabasePersonStream } from '../platform/supabase/realtime/person-stream.ts';
import { supabaseWorkspaceStream } from '../platform/supabase/realtime/workspace-stream.ts';
import { ok } from '../lib/result.ts';
import type { DocumentId, UserId } from '../protocol/ids.ts';
import { SCHEMA_VERSION } from '../protocol/limits.ts';
import { type AppState, appState } from '../state/app-state.ts';
import type { Histories } from '../ports/history.ts';
import { openAfterCreation } from '../state/person/open-after-creation.ts';
import { watchedFiles } from '../state/files/page-files.ts';
import type { Link, Log, StoredDocument } from '../sync/ports.ts';
import { pageBudget } from '../sessions/page-budget.ts';
import type { ReportAttachments } from '../sessions/report-attachments.ts';
import type { RunTimeConfig } from './config/run-time-config.ts';

/** Code that only pages need loads with the first page that opens, not with the first screen. */
const sessions = () => import('../sessions/open-sessions.ts');
const logs = () => import('../platform/supabase/log.ts');
const links = () => import('../platform/supabase/realtime/link.ts');
const histories = () => import('../sessions/history/open-history.ts');
const since = () => import('../sessions/since/since-ports.ts');
const former = () => import('../sessions/former-account.ts');

export function wire(config: RunTimeConfig, recentCalls: RecentCalls, reload: () => void): AppState {
  const address = projectKey(config);
  const filedUnder = deviceName(address);
  const remembered = rememberedIdentity(address);
  const serverClock = new ServerClock();
  const client = supabaseClient(config, deviceStorage, serverClock, recentCalls);
  let log: Log | null = null;
  /** One for all pages, because it renews the sign-in once for all. */
  const openLog = async () => {
    const { supabaseLog } = await logs();
    log ??= supabaseLog(client);
    return log;
  };
  let link: Link | null = null;
  /** One for all pages: it knows which channels are open. */
  const openLink = async () => {
    const { supabaseLink } = await links();
    link ??= supabaseLink(client);
    return link;
  };
  const historyCalls = async () =>
    (await import('../platform/supabase/history.ts')).supabaseHistory(client, serverClock);
  const memberHistory = async () => {
    const [{ memberHistories }, calls, pageLog] = await Promise.all([histories(), historyCalls(), openLog()]);
    return memberHistories({ ...calls, log: pageLog, fromServer: serverClock.toDevice });
  };
  const liveBudget = pageBudget(config.liveBudget);
  const membership = lazyPort(async () =>
    (await import('../platform/supabase/membership.ts')).supabaseMembership(client),
  );
  const attachments = supabaseAttachments(client, config);
  const after = (ms: number, run: () => void) => browserClock.after(ms, run);
  const timing = { now: () => browserClock.now(), after, random: () => browserRandom.next() };
  const clock = { ...browserClock, fromServer: serverClock.toDevice };
  let naming: Promise<void> | null = null;
  /** Asks each time someone signs in, until the database has answered. */
  const nameDevice = async (user: UserId) => {
    const database = await askDatabaseIdentity(client, after);
    if (database !== null) await filedUnder.learn(database, user);
    naming = null;
  };
  const sharedPorts = { clock, random: browserRandom, environment: browserEnvironment };

  return appState({
    account: supabaseAccount(client, remembered, {
      allowsGuests: config.allowsGuests,
      home: location.origin,
      inbox: config.isEmbedded ? '/__mail' : null,
      beforeSignIn: (user) => (filedUnder.isKnown() ? null : (naming ??= nameDevice(user))),
    }),
    providerSignIn: async () =>
      (await import('../platform/supabase/provider-sign-in.ts')).supabaseProviderSignIn(
        client,
        config,
        location.origin,
      ),
    inspectProject: projectInspector(client, config, location.origin),
    readInvite: (secret) => membership.inviteInfo(secret),
    theme: browserTheme,
    reload,
    after,
    environment: browserEnvironment,
    async openWatch(secret) {
      const [{ openLinkSession }, { supabaseWatchLog }, pageLink] = await Promise.all([sessions(), logs(), openLink()]);
      return openLinkSession(secret, { ...sharedPorts, link: pageLink, watchLog: supabaseWatchLog(client) });
    },
    linkVisits: async () => (await since()).linkVisits(client, timing, serverClock.toDevice),
    async openLinkHistory(secret) {
      const [{ openLinkHistory }, { linkRows }] = await Promise.all([histories(), historyCalls()]);
      return openLinkHistory(secret, { rows: linkRows, fromServer: serverClock.toDevice });
    },
    openLinkFiles: (secret, watchedDocument) =>
      watchedFiles({ source: supabaseLinkFiles(config, secret, watchedDocument), objectUrls, timing }),
    portsOf({ id }) {
      const project = filedUnder.use();
      const marker = signOutMarker(project);
      const database = weftDatabase(project, id, marker);
      const store = idbStore(project, id, database);
      const queue = pendingPageQueue(database);
      const documents = documentLocks(project, id);
      const files = fileCache(database);
      /** Null for a page that this device does not hold. */
      const ofStored =
        <T>(read: (page: StoredDocument, code: Awaited<ReturnType<typeof sessions>>) => T | Promise<T>) =>
        async (document: DocumentId): Promise<T | null> => {
          const page = await store.load(document);
          return page && read(page, await sessions());
        };
      const ports = { ...sharedPorts, store, locks: browserLocks(), tabs: browserTabs(project, id) };
      return {
        directory: supabaseDirectory(client, id, serverClock),
        search: lazyPort(async () =>
          (await import('../platform/supabase/search.ts')).supabaseSearch(client, serverClock),
        ),
        inbox: lazyPort(async () => (await import('../platform/supabase/home.ts')).supabaseInbox(client, serverClock)),
        home: lazyPort(async () => (await import('../platform/supabase/home.ts')).supabaseHome(client, serverClock)),
        membership,
        ownAccount: lazyPort(async () =>
          (await import('../platform/supabase/own-account.ts')).supabaseOwnAccount(client, config, id),
        ),
        formerAccounts: {
          list: () => remembered.former(),
          async move(account) {
            return (await former()).moveFormer(account, { database, store }, { project, remembered });
          },
          async discard(account) {
            await (await former()).discardFormer(account, { project, remembered });
          },
        },
        makeAvatar: async (file) => (await import('../platform/browser/avatar-maker.ts')).makeAvatar(file),
        access: lazyPort(async () => (await import('../platform/supabase/page-access.ts')).supabasePageAccess(client)),
        stream: supabaseWorkspaceStream(client, id),
        personStream: supabasePersonStream(client, id),
        listCache: listCache(project, id, marker),
        timing,
        files: {
          storage: attachments,
          sourceOf: (document) => attachments.ofDocument(document),
          fileCache: files,
          // With the code of an open page, which a file is added to: it is here when the network is gone.
          maker: { make: async (file) => (await sessions()).pictureMaker.make(file) },
          objectUrls,
        },
        capBytes: config.deviceBytes,
        pageReader: {
          async read(document) {
            const [{ readWholePage }, pageLog] = await Promise.all([sessions(), openLog()]);
            return readWholePage(document, { log: pageLog, store });
          },
          async file(document, attachment) {
            const cached = await files.read(attachment, 'original').catch(() => null);
            return cached === null ? attachments.ofDocument(document).download(attachment, 'original') : ok(cached);
          },
        },
        changesSince: async (document, visit) =>
          (await since()).memberChanges(document, visit, {
            client,
            log: await openLog(),
            me: id,
            fromServer: serverClock.toDevice,
          }),
        histories: lazyPort(historyCalls, {
          open: async (document: DocumentId) => (await memberHistory()).open(document),
          eraser: async (...args: Parameters<Histories['eraser']>) => (await memberHistory()).eraser(...args),
        }),
        cachedDocuments: {
          ...cachedDocuments(database, documents),
          unsent: () => store.unsent(),
          openDocuments: () => documents.open(),
          forgetAll: async () => {
            forgetRecoveredText(id);
            forgetOpenings();
            await store.forgetAll();
          },
          noteEdited: () => askToPersistOnce(),
          held: ofStored((page, { heldDocument }) => heldDocument(page)),
          async canBeMadeAgain(document) {
            const stored = await store.load(document);
            return stored !== null && (await sessions()).canBeMadeAgain(stored);
          },
          async copyOf(document) {
            const [stored, queued] = await Promise.all([store.load(document), queue.get(document)]);
            return stored && (await sessions()).unsentCopyOf(document, stored, queued === null);
          },
          textOf: ofStored((page, { storedText }) => storedText(page)),
        },
        crossTabEvents: browserCrossTabEvents(project, id),
        pageChanges: pageChangeQueue(database),
        pendingPages: {
          ...queue,
          async add(page, role) {
            const seed = (await sessions()).seedRow();
            await queue.add(page, { seq: seed.seq, schemaVersion: SCHEMA_VERSION, title: '', role }, seed);
          },
        },
        async openSession(document, beforeOpen) {
          const [{ openMemberSession }, pageLog, pageLink] = await Promise.all([sessions(), openLog(), openLink()]);
          const release = await documents.hold(document);
          const withLog = { ...ports, link: pageLink, log: openAfterCreation(pageLog, beforeOpen) };
          const reportAttachments: ReportAttachments = (...list) => attachments.setDocumentAttachments(...list);
          return openMemberSession(document, { user: id, ports: withLog, liveBudget, reportAttachments }, release);
        },
      };
    },
  });
}
