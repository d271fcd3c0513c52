// Where platform, sync and state meet: the only file that knows all three.
import { forgetLostWords } from '../editor/lost-words/lost-shelf.ts';
import { browserClock, browserRandom } from '../platform/browser/clock.ts';
import { browserDeviceNews } from '../platform/browser/tabs/cross-tab-events.ts';
import { documentLocks } from '../platform/browser/tabs/document-locks.ts';
import { fileShelf } from '../platform/browser/storage/file-cache.ts';
import { idbStore } from '../platform/browser/storage/idb-store.ts';
import { keptDocuments } from '../platform/browser/storage/cached-documents.ts';
import { listShelf } from '../platform/browser/storage/list-cache.ts';
import { browserLocks } from '../platform/browser/tabs/locks.ts';
import { newPageQueue } from '../platform/browser/storage/pending-page-queue.ts';
import { askToPersistOnce } from '../platform/browser/storage/persistence.ts';
import { blobAddresses, pictureMaker } from '../platform/browser/picture-maker.ts';
import { browserTabs } from '../platform/browser/tabs/tab-channel.ts';
import { deviceStorage } from '../platform/browser/storage/shared-storage.ts';
import { browserSurroundings } from '../platform/browser/environment.ts';
import { browserTheme } from '../platform/browser/theme-choice.ts';
import { weftDatabase } from '../platform/browser/storage/weft-database.ts';
import { wipeFence } from '../platform/browser/storage/sign-out-marker.ts';
import { supabaseAccount } from '../platform/supabase/account.ts';
import { supabaseAttachments, supabaseLinkFiles } from '../platform/supabase/attachments.ts';
import { projectKey, supabaseClient } from '../platform/supabase/client.ts';
import { supabaseDirectory } from '../platform/supabase/directory.ts';
import { supabaseLink } from '../platform/supabase/link.ts';
import { supabaseLog, supabaseWatchLog } from '../platform/supabase/log.ts';
import { rememberedIdentity } from '../platform/supabase/remembered-identity.ts';
import { supabaseWorkspaceStream } from '../platform/supabase/workspace-stream.ts';
import { SCHEMA_VERSION } from '../protocol/limits.ts';
import { type AppState, appState } from '../state/app-state.ts';
import { openAfter } from '../state/person/open-after-creation.ts';
import { watchedFiles } from '../state/files/page-files.ts';
import type { ReportAttachments } from './sessions/report-attachments.ts';
import type { RunTimeConfig } from './config/run-time-config.ts';

/** Sessions bring Yjs along: loaded with the first page that is opened, not with the first screen. */
const sessions = () => import('./sessions/open-sessions.ts');

export function wire(config: RunTimeConfig, reload: () => void): AppState {
  const project = projectKey(config);
  const client = supabaseClient(config, deviceStorage);
  const link = supabaseLink(client);
  const log = supabaseLog(client);
  const attachments = supabaseAttachments(client, config);
  const after = (ms: number, run: () => void) => browserClock.after(ms, run);
  const timing = { now: () => browserClock.now(), after, random: () => browserRandom.next() };
  const around = { clock: browserClock, random: browserRandom, link, surroundings: browserSurroundings };

  return appState({
    account: supabaseAccount(client, rememberedIdentity(project), {
      allowsGuests: config.allowsGuests,
      home: location.origin,
      inbox: config.isEmbedded ? '/__mail' : null,
    }),
    theme: browserTheme,
    reload,
    after,
    onReturn: (run) =>
      browserSurroundings.onChange((fact) => {
        if (fact === 'online' || fact === 'visible') run();
      }),
    openWatch: async (secret) =>
      (await sessions()).openLinkSession(secret, { ...around, watchLog: supabaseWatchLog(client) }),
    openLinkFiles: (secret, watchedDocument) =>
      watchedFiles({ source: supabaseLinkFiles(config, secret, watchedDocument), addresses: blobAddresses, timing }),
    onOffline: (run) =>
      browserSurroundings.onChange((fact) => {
        if (fact === 'offline') run();
      }),
    portsOf({ id }) {
      const fence = wipeFence(project);
      const database = weftDatabase(project, id, fence);
      const store = idbStore(project, id, database);
      const queue = newPageQueue(database);
      const documents = documentLocks(project, id);
      const ports = { ...around, store, locks: browserLocks(), tabs: browserTabs(project, id) };
      return {
        directory: supabaseDirectory(client, id),
        stream: supabaseWorkspaceStream(client, id),
        shelf: listShelf(project, id, fence),
        timing,
        files: {
          storage: attachments,
          sourceOf: (document) => attachments.ofDocument(document),
          shelf: fileShelf(database),
          maker: pictureMaker,
          addresses: blobAddresses,
        },
        capBytes: config.deviceBytes,
        kept: {
          ...keptDocuments(database, documents),
          unsent: () => store.unsent(),
          openDocuments: () => documents.open(),
          forgetAll: async () => {
            forgetLostWords(id);
            await store.forgetAll();
          },
          edited: () => askToPersistOnce(),
          async copyOf(document) {
            const [stored, queued] = await Promise.all([store.load(document), queue.get(document)]);
            return stored && (await sessions()).copyOf(document, stored, queued === null);
          },
        },
        deviceNews: browserDeviceNews(project, id),
        newPages: {
          ...queue,
          async add(page, role) {
            const seed = (await sessions()).seedRow();
            await queue.add(page, { seq: seed.seq, schemaVersion: SCHEMA_VERSION, title: '', role }, seed);
          },
        },
        async openSession(document, beforeOpen) {
          const { openMemberSession } = await sessions();
          const release = await documents.hold(document);
          const withLog = { ...ports, log: openAfter(log, beforeOpen) };
          const { liveBudget } = config;
          const reportAttachments: ReportAttachments = (...told) => attachments.note(...told);
          return openMemberSession(document, { user: id, ports: withLog, liveBudget, reportAttachments }, release);
        },
      };
    },
  });
}
