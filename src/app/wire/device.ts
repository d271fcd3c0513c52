// One person's data on this device: lists, pages, and the queues for the server.
import { idbStore } from 'weft-sync/browser/storage/idb-store.ts';
import { signOutMarker } from 'weft-sync/browser/storage/sign-out-marker.ts';
import type { Store, StoredDocument } from 'weft-sync/ports.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { forgetOpenings } from '../../features/safe-view/opening-marker.ts';
import { cachedDocuments } from '../../platform/browser/storage/cached-documents.ts';
import { listCache } from '../../platform/browser/storage/list-cache.ts';
import { pageChangeQueue } from '../../platform/browser/storage/page-change-queue.ts';
import { type StoredPageQueue, pendingPageQueue } from '../../platform/browser/storage/pending-page-queue.ts';
import { askToPersistOnce } from '../../platform/browser/storage/persistence.ts';
import { weftDatabase } from '../../platform/browser/storage/weft-database.ts';
import { browserCrossTabEvents } from '../../platform/browser/tabs/cross-tab-events.ts';
import { documentLocks } from '../../platform/browser/tabs/document-locks.ts';
import type { CachedDocuments } from '../../ports/device.ts';
import { SCHEMA_VERSION } from '../../protocol/limits.ts';
import type { PersonPorts } from '../../state/person/person-ports.ts';
import { forgetTexts } from '../../ui/browser/stored-texts.ts';
import { pageCode } from './project.ts';

export type Device = ReturnType<typeof personDevice>;

/** `project`: the name under which the device files what it holds of the project. */
export function personDevice(project: string, user: UserId) {
  const marker = signOutMarker(project);
  const database = weftDatabase(project, user, marker);
  const store = idbStore(database.log);
  const queue = pendingPageQueue(database);
  const documents = documentLocks(project, user);
  const ports: Pick<PersonPorts, 'listCache' | 'crossTabEvents' | 'pageChanges' | 'pendingPages' | 'cachedDocuments'> =
    {
      listCache: listCache(project, user, marker),
      crossTabEvents: browserCrossTabEvents(project, user),
      pageChanges: pageChangeQueue(database),
      pendingPages: {
        ...queue,
        async add(page, role) {
          const seed = (await pageCode()).seedRow();
          await queue.add(page, { seq: seed.seq, schemaVersion: SCHEMA_VERSION, title: '', role }, seed);
        },
      },
      cachedDocuments: {
        ...cachedDocuments(database, documents),
        ...storedPages(store, queue),
        openDocuments: () => documents.open(),
        forgetAll: async () => {
          forgetTexts(user);
          forgetOpenings();
          await store.forgetAll();
        },
        noteEdited: () => askToPersistOnce(),
      },
    };
  return { project, user, database, store, documents, ports };
}

function storedPages(
  store: Store,
  queue: StoredPageQueue,
): Pick<CachedDocuments, 'unsent' | 'held' | 'canBeMadeAgain' | 'copyOf' | 'textOf'> {
  /** Null for a page that this device does not hold. */
  const ofStored =
    <T>(read: (page: StoredDocument, code: Awaited<ReturnType<typeof pageCode>>) => T | Promise<T>) =>
    async (document: DocumentId): Promise<T | null> => {
      const page = await store.load(document);
      return page && read(page, await pageCode());
    };
  const canStoredBeMadeAgain = ofStored((page, { canBeMadeAgain }) => canBeMadeAgain(page));
  return {
    unsent: () => store.unsent(),
    held: ofStored((page, { heldDocument }) => heldDocument(page)),
    canBeMadeAgain: async (document) => (await canStoredBeMadeAgain(document)) === true,
    async copyOf(document) {
      const [stored, queued] = await Promise.all([store.load(document), queue.get(document)]);
      return stored && (await pageCode()).unsentCopyOf(document, stored, queued === null);
    },
    textOf: ofStored((page, { storedText }) => storedText(page)),
  };
}
