// Lists cached on this device (the `ListCache` port of src/state), one database per project and user. Never throws:
// whatever fails here can be fetched again.
import type { DBSchema } from 'idb';
import { PrivateDatabase } from './private-database.ts';
import { type SignOutMarker, signOutMarker } from './sign-out-marker.ts';

interface Lists extends DBSchema {
  lists: { key: string; value: unknown };
}

export function listCache(project: string, user: string, marker: SignOutMarker = signOutMarker(project)) {
  const database = new PrivateDatabase<Lists>(`weft-lists:${project}:${user}`, {
    version: 1,
    upgrade: (db) => void db.createObjectStore('lists'),
    marker,
  });
  const lists = () => database.use().catch(() => null);

  return {
    async load(key: string): Promise<unknown> {
      return (await lists())?.get('lists', key).catch(() => undefined);
    },
    async save(key: string, value: unknown): Promise<void> {
      await (await lists())?.put('lists', value, key).catch(() => undefined);
    },
    /** The values of all keys that begin like this. */
    async all(prefix: string): Promise<readonly unknown[]> {
      const keys = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      return (await (await lists())?.getAll('lists', keys).catch(() => [])) ?? [];
    },
    clear: (): Promise<void> => database.wipe(),
    /** Deletes the lists of somebody who does not sign out. */
    remove: (): Promise<void> => database.remove(),
  };
}
