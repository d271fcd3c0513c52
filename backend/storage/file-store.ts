// The bytes of objects, each in a file named for the version its row names: a file is written once, under another name, and
// renamed when it is on the disk. Whose bytes they are stands in the database alone; a file without a row is nobody's.
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, copyFile, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../start-error.ts';
import { tooLarge } from './storage-error.ts';

export type StoredFile = {
  readonly version: string;
  readonly size: number;
  /** MD5 in quotes, as S3 has it. */
  readonly eTag: string;
};

const VERSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INCOMING = 'incoming';
const ORPHANS = 'orphans';
/** How long a file that no row names is kept aside: whoever started Weft on the wrong database gets it back. */
const ORPHAN_DAYS = 7;
const DAY_MS = 86_400_000;

export class FileStore {
  readonly #dir: string;
  /** While a backup reads, nothing that it may have seen is removed; the sweep gets it later. */
  #holds = 0;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Resolves when the bytes are on the disk. Throws a `StorageError` above `maxBytes`; nothing of it is left then. */
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
      await this.#settle(draft, version);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return { version, size, eTag: `"${hash.digest('hex')}"` };
  }

  /** A second file with the same bytes; its version. Null when there is no such file. */
  async copy(version: string): Promise<string | null> {
    const copied = randomUUID();
    const draft = join(this.#dir, INCOMING, copied);
    await mkdir(dirname(draft), { recursive: true });
    const source = await this.#found(version);
    if (source === null) return null;
    try {
      await copyFile(source, draft);
      const handle = await open(draft, 'r+');
      await syncAndClose(handle);
      await this.#settle(draft, copied);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    return copied;
  }

  /** For reading; null when there is no such file. The caller closes it. */
  async open(version: string): Promise<FileHandle | null> {
    const file = await this.#found(version);
    return file === null ? null : open(file, 'r');
  }

  /** Where it lies, for who holds; null when there is no such file. */
  pathOf(version: string): Promise<string | null> {
    return this.#found(version);
  }

  /** Safe for what is not there, and for what somebody reads. */
  async remove(versions: readonly string[]): Promise<void> {
    if (this.#holds > 0) return;
    await Promise.all(
      versions.filter((version) => VERSION.test(version)).map((version) => rm(this.#fileOf(version), { force: true })),
    );
  }

  /** Until what it answers is called, no file is removed. */
  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (held) this.#holds -= 1;
      held = false;
    };
  }

  /**
   * Puts aside what no row names and was not touched for `minAgeMs` (uploads come before their rows), and forgets what
   * was put aside long ago. `known` are the versions that rows name, asked for after the files were listed.
   */
  async sweep(known: () => Promise<ReadonlySet<string>>, minAgeMs: number): Promise<number> {
    const candidates = await this.#olderThan(minAgeMs);
    await this.#forget(INCOMING, minAgeMs);
    await this.#forget(ORPHANS, ORPHAN_DAYS * DAY_MS);
    if (candidates.length === 0) return 0;
    const versions = await known();
    if (this.#holds > 0) return 0;
    const orphans = candidates.filter((version) => !versions.has(version));
    if (orphans.length > 0) await mkdir(join(this.#dir, ORPHANS), { recursive: true });
    const now = new Date();
    for (const version of orphans) {
      const aside = join(this.#dir, ORPHANS, version);
      await rename(this.#fileOf(version), aside);
      await utimes(aside, now, now);
    }
    return orphans.length;
  }

  async #found(version: string): Promise<string | null> {
    if (!VERSION.test(version)) return null;
    const file = this.#fileOf(version);
    if (await exists(file)) return file;
    const aside = join(this.#dir, ORPHANS, version);
    if (!(await exists(aside))) return null;
    // Put aside while the row was out of sight; it is back.
    await mkdir(dirname(file), { recursive: true });
    await rename(aside, file);
    return file;
  }

  async #settle(draft: string, version: string): Promise<void> {
    const file = this.#fileOf(version);
    await mkdir(dirname(file), { recursive: true });
    await rename(draft, file);
    await syncDirectory(dirname(file));
  }

  async #olderThan(minAgeMs: number): Promise<string[]> {
    const old: string[] = [];
    for (const shelf of await entriesOf(this.#dir)) {
      if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
      for (const name of await entriesOf(join(this.#dir, shelf))) {
        if (VERSION.test(name) && (await ageOf(join(this.#dir, shelf, name))) >= minAgeMs) old.push(name);
      }
    }
    return old;
  }

  async #forget(folder: string, minAgeMs: number): Promise<void> {
    for (const name of await entriesOf(join(this.#dir, folder))) {
      const file = join(this.#dir, folder, name);
      if ((await ageOf(file)) >= minAgeMs) await rm(file, { force: true });
    }
  }

  #fileOf(version: string): string {
    return join(this.#dir, version.slice(0, 2), version);
  }
}

/** A handle may write less than it was given. */
async function writeWhole(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, from);
    from += bytesWritten;
  }
}

/** So that the name, too, survives a power loss; Windows cannot and need not. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  await syncAndClose(await open(dir, 'r'));
}

async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const ageOf = (file: string): Promise<number> =>
  stat(file).then(
    // The clock knows whole milliseconds only: a file of this one would be younger than new.
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
