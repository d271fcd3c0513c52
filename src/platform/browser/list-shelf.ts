// Lists kept on this device (the `Shelf` of src/state), one database per project and user. A cache: whatever fails
// here is fetched again, so nothing throws.
import { type DBSchema, type IDBPDatabase, deleteDB, openDB } from 'idb';

interface Lists extends DBSchema {
  lists: { key: string; value: unknown };
}

export function listShelf(project: string, user: string) {
  const name = `weft-lists:${project}:${user}`;
  let opening: Promise<IDBPDatabase<Lists> | null> | null = null;

  const database = () =>
    (opening ??= openDB<Lists>(name, 1, {
      upgrade: (db) => void db.createObjectStore('lists'),
      // Another tab signs out and deletes it: let go, or the deletion waits for this tab.
      blocking: (_current, _blocked, event) => {
        opening = null;
        if (event.target instanceof IDBDatabase) event.target.close();
      },
    }).catch(() => null));

  return {
    async load(key: string): Promise<unknown> {
      const db = await database();
      return db?.get('lists', key).catch(() => undefined);
    },
    async save(key: string, value: unknown): Promise<void> {
      const db = await database();
      await db?.put('lists', value, key).catch(() => undefined);
    },
    async clear(): Promise<void> {
      (await database())?.close();
      opening = null;
      await deleteDB(name).catch(() => undefined);
    },
  };
}
