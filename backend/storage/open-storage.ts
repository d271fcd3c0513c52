// Opens Storage for the backend: the API, and the sweep that removes what crashes left behind.
import type { Engine } from '../engine.ts';
import type { Keys } from '../keys/keys.ts';
import { FileStore } from './file-store.ts';
import { Objects } from './objects.ts';
import { StorageApi } from './storage-api.ts';

export type Storage = {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly files: FileStore;
  /** Waits for a running sweep. */
  close(): Promise<void>;
};

export type StorageOptions = { readonly engine: Engine; readonly filesDir: string; readonly keys: Keys };

const SWEEP_MS = 3_600_000;
/** Longer than any upload takes from its first byte to its row. */
const UPLOAD_MS = 3_600_000;

export async function openStorage({ engine, filesDir, keys }: StorageOptions): Promise<Storage> {
  const files = new FileStore(filesDir);
  const api = new StorageApi({ engine, files, keys });
  const objects = new Objects(engine);
  const sweep = async (minAgeMs: number) => {
    try {
      await files.sweep(() => objects.versions(), minAgeMs);
    } catch (error) {
      process.stderr.write(`Storage was not swept: ${String(error)}\n`);
    }
  };
  // No upload is running yet, so every file without a row is an orphan.
  await sweep(0);
  let sweeping = Promise.resolve();
  const timer = setInterval(() => {
    sweeping = sweeping.then(() => sweep(UPLOAD_MS));
  }, SWEEP_MS);
  timer.unref();
  return {
    fetch: (request) => api.fetch(request),
    files,
    close: () => {
      clearInterval(timer);
      return sweeping;
    },
  };
}
