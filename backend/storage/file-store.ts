// Stores the bytes of objects. Each file is named for the version in its row; it is written once under another name and
// renamed when it is on disk. Only the database knows whose file it is; a file without a row is an orphan.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, copyFile, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../start-error.ts';
import { syncDirectory } from '../sync-directory.ts';
import { tooLarge } from './storage-error.ts';

export type StoredFile = {
  readonly version: string;
  readonly size: number;
  /** The MD5 hash in quotes, like S3. */
  readonly eTag: string;
};

const VERSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INCOMING = 'incoming';
const ORPHANS = 'orphans';
/** Orphans are deleted only after this time: someone who starts Weft with the wrong database gets them back. */
const ORPHAN_DAYS = 7;
const DAY_MS = 86_400_000;

export class FileStore {
  readonly #dir: string;
  /** While a backup reads, no file is removed; a later sweep removes it. */
  #removalPauses = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Resolves when the bytes are on disk. Throws a `StorageError` above `maxBytes` and leaves nothing behind then. */
  async write(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StoredFile> {
    const version = randomUUID();
    const draft = join(this.#dir, INCOMING, version);
    const hash = createHash('md5');
    let size = 0;
    try {
      await mkdir(dirname(draft), { recursive: true });
      const handle = await open(draft, 'wx');
      try {
        for await (const part of bytes) {
          size += part.length;
          if (size > maxBytes) throw tooLarge();
          hash.update(part);
          await writeWhole(handle, part);
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.#moveIntoPlace(draft, version);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return { version, size, eTag: `"${hash.digest('hex')}"` };
  }

  /** Copies a file and returns the version of the copy, or null when there is no such file. */
  async copy(version: string): Promise<string | null> {
    const copied = randomUUID();
    const draft = join(this.#dir, INCOMING, copied);
    await mkdir(dirname(draft), { recursive: true });
    const source = await this.#locate(version);
    if (source === null) return null;
    try {
      await copyFile(source, draft);
      const handle = await open(draft, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.#moveIntoPlace(draft, copied);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return copied;
  }

  /** Opens a file for reading, or returns null when there is none. The caller closes it. */
  async open(version: string): Promise<FileHandle | null> {
    const file = await this.#locate(version);
    return file === null ? null : open(file, 'r');
  }

  /** The file's path, valid while removal is paused; null when there is no such file. */
  pathOf(version: string): Promise<string | null> {
    return this.#locate(version);
  }

  /** Ignores files that do not exist; a file that is being read stays readable. */
  async remove(versions: readonly string[]): Promise<void> {
    if (this.#removalPauses > 0) return;
    await Promise.all(
      versions.filter((version) => VERSION.test(version)).map((version) => rm(this.#fileOf(version), { force: true })),
    );
  }

  /** No file is removed until the returned function is called. */
  pauseRemoval(): () => void {
    this.#removalPauses += 1;
    let isPaused = true;
    return () => {
      if (isPaused) this.#removalPauses -= 1;
      isPaused = false;
    };
  }

  /**
   * Moves orphans that are at least `minAgeMs` old into a folder of their own (an upload writes its file before its
   * row), and deletes old ones from there. `known` returns the versions that rows name; it is called after the files
   * were listed. Returns the number of files that were moved.
   */
  async sweep(known: () => Promise<ReadonlySet<string>>, minAgeMs: number): Promise<number> {
    const candidates = await this.#olderThan(minAgeMs);
    await this.#deleteOld(INCOMING, minAgeMs);
    await this.#deleteOld(ORPHANS, ORPHAN_DAYS * DAY_MS);
    if (candidates.length === 0) return 0;
    const versions = await known();
    if (this.#removalPauses > 0) return 0;
    const orphans = candidates.filter((version) => !versions.has(version));
    if (orphans.length > 0) await mkdir(join(this.#dir, ORPHANS), { recursive: true });
    const now = new Date();
    let moved = 0;
    for (const version of orphans) {
      const orphan = join(this.#dir, ORPHANS, version);
      try {
        await rename(this.#fileOf(version), orphan);
      } catch (error) {
        // The call that deleted the row has removed its file meanwhile.
        if (systemCode(error) === 'ENOENT') continue;
        throw error;
      }
      await utimes(orphan, now, now);
      moved += 1;
    }
    return moved;
  }

  async #locate(version: string): Promise<string | null> {
    if (!VERSION.test(version)) return null;
    const file = this.#fileOf(version);
    if (await exists(file)) return file;
    const orphan = join(this.#dir, ORPHANS, version);
    if (!(await exists(orphan))) return null;
    // The file was moved while its row was missing; the row is back.
    await mkdir(dirname(file), { recursive: true });
    await rename(orphan, file);
    return file;
  }

  async #moveIntoPlace(draft: string, version: string): Promise<void> {
    const file = this.#fileOf(version);
    await mkdir(dirname(file), { recursive: true });
    await rename(draft, file);
    await syncDirectory(dirname(file));
  }

  async #olderThan(minAgeMs: number): Promise<string[]> {
    const old: string[] = [];
    for (const folder of await entriesOf(this.#dir)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue;
      for (const name of await entriesOf(join(this.#dir, folder))) {
        if (VERSION.test(name) && (await ageOf(join(this.#dir, folder, name))) >= minAgeMs) old.push(name);
      }
    }
    return old;
  }

  async #deleteOld(folder: string, minAgeMs: number): Promise<void> {
    for (const name of await entriesOf(join(this.#dir, folder))) {
      const file = join(this.#dir, folder, name);
      if ((await ageOf(file)) >= minAgeMs) await rm(file, { force: true });
    }
  }

  #fileOf(version: string): string {
    return join(this.#dir, version.slice(0, 2), version);
  }
}

/** One `write` may write less than it is given. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, from);
    from += bytesWritten;
  }
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const ageOf = (file: string): Promise<number> =>
  stat(file).then(
    // `Date.now()` has whole milliseconds only: a file written in this one would have a negative age.
    ({ mtimeMs }) => Date.now() - Math.floor(mtimeMs),
    () => -1,
  );

async function entriesOf(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
