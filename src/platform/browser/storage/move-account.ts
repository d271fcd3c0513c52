// Moves what this device holds of a former account to the one that is signed in (`former-account.ts`). The whole state
// of a page that the server had becomes an outbox to be put back (HI4): the sessions of the former account may not
// write any more, and the log may lack any of its rows.
import { documentRange } from 'weft-sync/browser/storage/log-database.ts';
import { completeAll } from 'weft-sync/browser/storage/private-database.ts';
import type { OutboxEntry, OutboxKey, Store, StoredDocument, StoredMeta } from 'weft-sync/ports.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { WeftDatabase } from './weft-database.ts';

/** What `setAside` makes of a stored page: its new meta, and the outbox entry with its whole state. */
export type Moved = { readonly meta: StoredMeta; readonly key: OutboxKey; readonly entry: OutboxEntry };

/** An account's database, and its store of documents. */
type Place = { readonly database: WeftDatabase; readonly store: Store };

/** No copy of a document has this id. */
const NO_COPY = 'moved';
/** Stores whose records are moved as they are. */
const RAW = ['uploads', 'pageChanges', 'commentChanges', 'newPages'] as const;
const OF_NEW_PAGES = ['rows', 'outboxes', 'entries'] as const;

/** Each document is stored at its new place before it leaves the old one, so a move that breaks off can be repeated. */
export async function moveAccount(from: Place, to: Place, setAside: (page: StoredDocument) => Promise<Moved>) {
  const [source, target] = await Promise.all([from.database.database.use(), to.database.database.use()]);
  for (const name of RAW) {
    for (const record of await source.getAll(name)) await target.put(name, record);
  }
  for (const key of await source.getAllKeys('files')) {
    const file = await source.get('files', key);
    if (file !== undefined) await target.put('files', file);
  }
  const newPages = new Set(await source.getAllKeys('newPages'));
  const outboxes = (await source.getAllKeys('outboxes')).map(([document]) => document);
  for (const document of new Set([...(await source.getAllKeys('documents')), ...outboxes])) {
    if (newPages.has(document)) {
      // The server never had it (ST8): it is created with its own first row and its own sessions.
      const record = await source.get('documents', document);
      const stored = OF_NEW_PAGES.map(
        async (name) => [name, await source.getAll(name, documentRange(document))] as const,
      );
      const records = await Promise.all(stored);
      const tx = target.transaction(['documents', ...OF_NEW_PAGES], 'readwrite');
      await completeAll(tx, [
        record && tx.objectStore('documents').put(record),
        ...records.flatMap(([name, all]) => all.map((one) => tx.objectStore(name).put(one))),
      ]);
      continue;
    }
    const page = await from.store.load(document);
    if (page === null) continue;
    const { meta, key, entry } = await setAside(page);
    const former = { copy: NO_COPY, seq: (await to.store.load(document))?.meta.seq ?? 0 };
    if (!(await to.store.setAside(document, former, meta, [], key, entry))) throw new Error(`not moved: ${document}`);
    for (const { session, clientId, entries, refused } of page.outboxes) {
      if (refused === null) continue;
      for (const one of entries) await to.store.addEntry(document, { session, clientId }, one);
      await to.store.refuse(document, session, refused);
    }
    await from.store.forget(document);
  }
  await from.database.database.remove();
}

/** Runs in one tab at a time. Without Web Locks two tabs may move at once, which loses nothing. */
export const movingOnce = <T>(project: string, account: UserId, run: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(`weft-move:${project}:${account}`, run) : run();
