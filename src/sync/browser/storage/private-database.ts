// One person's IndexedDB database. It opens on first use and closes when a newer version or a sign-out needs it. After
// a wipe it never opens again: a tab that went on writing would recreate deleted data.
import { type DBSchema, type IDBPDatabase, type OpenDBCallbacks, deleteDB, openDB } from 'idb';
import type { SignOutMarker } from './sign-out-marker.ts';

/**
 * A deletion or a write that waits for a frozen tab blocks every open. A page without storage is better than no page.
 */
export const OPENS_WITHIN_MS = 5_000;
const DELETED_WITHIN_MS = 2_000;

/**
 * For what is on no server yet: the browser confirms the write when it is on the disk, so a power cut does not take it. Measured
 * (`npm run bench -- device`): the key's own task takes as long as with `relaxed`, the confirmation comes 4 ms later.
 */
export const ON_DISK = { durability: 'strict' } as const;

export class PrivateDatabase<S extends DBSchema> {
  readonly name: string;
  readonly #version: number;
  readonly #upgrade: NonNullable<OpenDBCallbacks<S>['upgrade']>;
  readonly #marker: SignOutMarker;
  /** Runs before the first use. */
  readonly #prepare: (db: IDBPDatabase<S>) => Promise<void>;
  #opening: Promise<IDBPDatabase<S>> | null = null;
  #isWiped = false;

  constructor(
    name: string,
    options: {
      readonly version: number;
      readonly upgrade: NonNullable<OpenDBCallbacks<S>['upgrade']>;
      readonly marker: SignOutMarker;
      readonly prepare?: (db: IDBPDatabase<S>) => Promise<void>;
    },
  ) {
    this.name = name;
    this.#version = options.version;
    this.#upgrade = options.upgrade;
    this.#marker = options.marker;
    this.#prepare = options.prepare ?? (async () => undefined);
  }

  /** True once nothing may be stored any more, because the person signed out, here or in another tab. */
  get isClosed(): boolean {
    return this.#isWiped || this.#marker.isSet();
  }

  /**
   * Rejects if the device stores nothing, or nothing any more. Once the database is open, the caller continues in the
   * same task.
   */
  use(): Promise<IDBPDatabase<S>> {
    if (this.isClosed) return Promise.reject(new Error('this person signed out on this device'));
    this.#opening ??= this.#open().then(async (db) => {
      await withTimeout(this.#prepare(db)).catch((error: unknown) => {
        db.close();
        throw error;
      });
      return db;
    });
    const opening = this.#opening;
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }

  /** Deletes the database of someone who signs out. */
  async wipe(): Promise<void> {
    this.#marker.set();
    await this.remove();
  }

  /**
   * Deletes the database. Other tabs close their connections. If one is frozen, this empties the database now, and the
   * browser deletes it when it can.
   */
  async remove(): Promise<void> {
    this.#isWiped = true;
    const db = await (this.#opening ?? this.#open()).catch(() => null);
    this.#opening = null;
    if (db !== null) {
      await empty(db).catch(() => undefined);
      db.close();
    }
    await Promise.race([deleteDB(this.name).catch(() => undefined), after(DELETED_WITHIN_MS)]);
  }

  /** Rejects instead of waiting, because a store that never answers would keep the page from opening. */
  #open(): Promise<IDBPDatabase<S>> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const giveUp = (why: string) => {
        isLate = true;
        reject(new Error(why));
      };
      const timer = setTimeout(() => giveUp('the database does not open'), OPENS_WITHIN_MS);
      openDB<S>(this.name, this.#version, {
        upgrade: this.#upgrade,
        blocked: () => giveUp('the store is held by an older version in another tab'),
        // Another tab waits for us: it has a newer version, or the person signed out there.
        blocking: (_current, requestedVersion, event) => {
          this.#opening = null;
          if (requestedVersion === null) this.#isWiped = true;
          if (event.target instanceof IDBDatabase) event.target.close();
        },
        terminated: () => (this.#opening = null),
      })
        .then((db) => (isLate ? db.close() : resolve(db)), reject)
        .finally(() => clearTimeout(timer));
    });
  }
}

async function empty<S extends DBSchema>(db: IDBPDatabase<S>): Promise<void> {
  const names = Array.from(db.objectStoreNames);
  const tx = db.transaction(names, 'readwrite');
  await Promise.all([...names.map((name) => tx.objectStore(name).clear()), tx.done]);
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Rejects if the database does not answer in time. The requests may still succeed. */
export function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the store does not answer')), OPENS_WITHIN_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * A failed request rejects its own promise as well as the transaction. Awaiting all of them avoids unhandled
 * rejections.
 */
export async function completeAll(tx: { readonly done: Promise<void> }, requests: readonly unknown[]): Promise<void> {
  await Promise.all([...requests, tx.done]);
}
