// The name under which this device files what it holds of a project: databases, journals, channels and locks. It belongs to
// the project's database, so that another address of the same database finds everything. Nothing is ever renamed: what an
// older app filed under an address keeps that name, and tabs of both share it.
import { type SharedStorage, deviceStorage } from 'weft-sync/browser/storage/shared-storage.ts';
import { type UserId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { type DatabaseId, parseDatabaseId } from '../../../protocol/ids.ts';

export interface DeviceName {
  /** The name that `learn` chose; before that the address itself, which then becomes the name. */
  use(): string;
  /** The address has a name, which stays. */
  isKnown(): boolean;
  /** Gives the address a name if it has none. `database` is behind it, and `user` is one of its people. */
  learn(database: DatabaseId, user: UserId): Promise<void>;
}

const KEY = 'weft:filed-under:';

/** `address`: host and port of the project. `listDatabases` answers null if the browser cannot tell. */
export function deviceName(
  address: string,
  storage: SharedStorage = deviceStorage,
  listDatabases: () => Promise<readonly string[] | null> = databaseNames,
): DeviceName {
  const nameOf = (place: string) => storage.getItem(KEY + place);
  let isUsed = false;

  /** Whether a database has this name already. */
  const isTaken = (name: string): boolean =>
    storage.names().some((key) => {
      const place = key.startsWith(KEY) ? key.slice(KEY.length) : '';
      return parseDatabaseId(place) !== null && nameOf(place) === name;
    });

  const chooseName = async (database: DatabaseId, user: UserId): Promise<string> => {
    // This tab files under the address already, as an older app did.
    if (isUsed) return address;
    const known = nameOf(database);
    if (known !== null) return known;
    const stored = await listDatabases();
    if (stored === null) return address;
    // Ids of people are random: what an older app filed for this one is of this database, or of a copy of it.
    const places = stored.flatMap((name) => placeOf(name, user) ?? []).filter((place) => !isTaken(place));
    return places.find((place) => place === address) ?? places.at(0) ?? database;
  };

  return {
    use() {
      isUsed = true;
      return nameOf(address) ?? address;
    },
    isKnown: () => nameOf(address) !== null,
    async learn(database, user) {
      const name = await chooseName(database, user);
      // Another tab may have been faster.
      if (nameOf(address) !== null) return;
      if (nameOf(database) === null) storage.setItem(KEY + database, name);
      storage.setItem(KEY + address, name);
    },
  };
}

/** Null unless it is a database of this person's pages. */
function placeOf(name: string, user: UserId): string | null {
  const [, place, owner = ''] = /^weft:(.+):([^:]+)$/.exec(name) ?? [];
  return parseUserId(owner) === user && place !== undefined ? place : null;
}

async function databaseNames(): Promise<readonly string[] | null> {
  // Missing in older browsers.
  const list: (() => Promise<IDBDatabaseInfo[]>) | undefined = indexedDB.databases?.bind(indexedDB);
  const stored = await list?.().catch(() => null);
  return stored?.flatMap(({ name }) => name ?? []) ?? null;
}
