// Lists cached on this device, one database per project and user. Never throws: whatever fails here can be fetched
// again.
import type { DBSchema } from 'idb';
import { PrivateDatabase } from 'weft-sync/browser/storage/private-database.ts';
import { type SignOutMarker, signOutMarker } from 'weft-sync/browser/storage/sign-out-marker.ts';
import type { ListCache } from '../../../ports/device.ts';

export type DeviceLists = ListCache & {
  /** The values of all keys that begin like this. */
  all(prefix: string): Promise<readonly unknown[]>;
  /** Deletes the lists of a former account (`former-account.ts`); `clear` marks a sign-out too. */
  remove(): Promise<void>;
};

interface Lists extends DBSchema {
  lists: { key: string; value: unknown };
}

export function listCache(project: string, user: string, marker: SignOutMarker = signOutMarker(project)): DeviceLists {
  const database = new PrivateDatabase<Lists>(`weft-lists:${project}:${user}`, {
    version: 1,
    upgrade: (db) => void db.createObjectStore('lists'),
    marker,
  });
  const lists = () => database.use().catch(() => null);

  return {
    async load(key) {
      return (await lists())?.get('lists', key).catch(() => undefined);
    },
    async save(key, value) {
      await (await lists())?.put('lists', value, key).catch(() => undefined);
    },
    async all(prefix) {
      const keys = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      return (await (await lists())?.getAll('lists', keys).catch(() => [])) ?? [];
    },
    clear: () => database.wipe(),
    remove: () => database.remove(),
  };
}
