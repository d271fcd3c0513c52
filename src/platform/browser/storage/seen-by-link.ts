// Pages as last seen by a share link, stored on this device. Each page is encrypted with a key made from the link's
// secret, under a hash of the secret: someone with the device but not the link learns nothing of the page, and the
// secret is not stored. Over plain http browsers have no encryption, so nothing is stored there.
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import { MAX_STATE_BYTES } from 'weft-sync/protocol/limits.ts';
import type { Bytes } from '../../../lib/bytes.ts';
import { deflate, inflate } from '../../../lib/deflate.ts';
import { sha256 } from '../../../lib/sha256.ts';

/** `at` and `rowAt`, the time of row `seq` (null: not known), are in ms since 1970; `state` is a Yjs state (V2). */
export type SeenPage = {
  readonly seq: number;
  readonly rowAt: number | null;
  readonly at: number;
  readonly state: Bytes;
};

export interface SeenByLink {
  /** Null if there is none of the last 90 days, or it cannot be read. */
  load(secret: LinkSecret): Promise<SeenPage | null>;
  /** Does nothing if the page is too large or the browser does not allow it. */
  save(secret: LinkSecret, page: SeenPage): Promise<void>;
  forget(secret: LinkSecret): Promise<void>;
}

/**
 * `bytes`: seq, time of the visit and of the row (0: not known) as three float64, then the deflated state, all of it encrypted.
 */
type Stored = { readonly link: string; readonly at: number; readonly iv: Bytes; readonly bytes: Bytes };

interface Schema extends DBSchema {
  pages: { key: string; value: Stored; indexes: { at: number } };
}

const MAX_PAGES = 30;
const MAX_PAGE_BYTES = 1024 * 1024;
const MAX_AGE_MS = 90 * 24 * 60 * 60_000;
const HEAD_BYTES = 24;

export function seenByLink(now: () => number): SeenByLink {
  let opening: Promise<IDBPDatabase<Schema>> | null = null;
  const open = () =>
    (opening ??= openDB<Schema>('weft-links', 1, {
      upgrade: (database) => {
        database.createObjectStore('pages', { keyPath: 'link' }).createIndex('at', 'at');
      },
      blocking: (_current, _next, event) => {
        if (event.target instanceof IDBDatabase) event.target.close();
        opening = null;
      },
    }));
  return {
    async load(secret) {
      if (!canEncrypt()) return null;
      try {
        const stored = await (await open()).get('pages', await hashOf(secret));
        if (stored === undefined || stored.at < now() - MAX_AGE_MS) return null;
        const clear = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: stored.iv },
          await keyOf(secret),
          stored.bytes,
        );
        const head = new DataView(clear, 0, HEAD_BYTES);
        const state = await inflate(new Uint8Array(clear, HEAD_BYTES), MAX_STATE_BYTES);
        return { seq: head.getFloat64(0), at: head.getFloat64(8), rowAt: head.getFloat64(16) || null, state };
      } catch {
        // Storage is blocked, or someone changed its contents.
        return null;
      }
    },
    async save(secret, { seq, at, rowAt, state }) {
      if (!canEncrypt()) return;
      const packed = await deflate(state);
      if (packed.length > MAX_PAGE_BYTES) return;
      const clear = new Uint8Array(HEAD_BYTES + packed.length);
      const head = new DataView(clear.buffer);
      head.setFloat64(0, seq);
      head.setFloat64(8, at);
      head.setFloat64(16, rowAt ?? 0);
      clear.set(packed, HEAD_BYTES);
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const bytes = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(secret), clear));
      const link = await hashOf(secret);
      try {
        const database = await open();
        await database.put('pages', { link, at, iv, bytes });
        await forgetOldest(database, now() - MAX_AGE_MS);
      } catch {
        // Storage is full or blocked: then this visit is not remembered.
      }
    },
    async forget(secret) {
      try {
        await (await open()).delete('pages', await hashOf(secret));
      } catch {
        // Storage is blocked, so nothing is stored.
      }
    },
  };
}

async function forgetOldest(database: IDBPDatabase<Schema>, olderThan: number): Promise<void> {
  const links = await database.getAllKeysFromIndex('pages', 'at');
  const old = await database.getAllKeysFromIndex('pages', 'at', IDBKeyRange.upperBound(olderThan));
  const gone = new Set([...old, ...links.slice(0, Math.max(0, links.length - MAX_PAGES))]);
  for (const link of gone) await database.delete('pages', link);
}

/** The types claim that it always exists. Outside a secure context it does not. */
const canEncrypt = (): boolean => (globalThis.crypto.subtle as SubtleCrypto | undefined) !== undefined;

const hashOf = (secret: LinkSecret): Promise<string> => sha256(new TextEncoder().encode(`weft-seen-link:${secret}`));

/** The secret has 128 random bits, so one hash makes a key of it. */
async function keyOf(secret: LinkSecret): Promise<CryptoKey> {
  const bits = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`weft-seen-key:${secret}`));
  return crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
