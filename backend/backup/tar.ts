// Writes and reads the tar file of a backup: plain files, one after the other. `tar-stream` knows the format; this module
// says when a file is complete on disk, and refuses anything but plain files.
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Pack, extract, pack } from 'tar-stream';

/** Only its owner may read a backup, and whatever is extracted from one. */
const MODE = 0o600;

export class TarWriter {
  readonly #pack: Pack;

  constructor(tar: Pack) {
    this.#pack = tar;
  }

  async add(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content);
    await pipeline([bytes], this.#entry(name, bytes.length));
  }

  /** Adds what `source` holds now. Rejects when the size of `source` changes while it is read. */
  async addFile(name: string, source: string): Promise<void> {
    const { size } = await stat(source);
    try {
      await pipeline(createReadStream(source), this.#entry(name, size));
    } catch (cause) {
      throw new Error(`${source} could not be added: ${String(cause)}`, { cause });
    }
  }

  #entry(name: string, size: number) {
    return this.#pack.entry({ name, size, mode: MODE });
  }
}

/**
 * Creates `file`, which must not exist, and lets `fill` add its entries. Resolves once everything is synced to disk; when it
 * rejects, the file is gone again.
 */
export async function writeTar<T>(file: string, fill: (tar: TarWriter) => Promise<T>): Promise<T> {
  const handle = await open(file, 'wx', MODE);
  const tar = pack();
  const filled = fill(new TarWriter(tar)).then(
    (result) => {
      tar.finalize();
      return result;
    },
    (error: unknown) => {
      tar.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    },
  );
  const written = pipeline(tar, handle.createWriteStream({ flush: true }));
  try {
    // When one of the two fails, it destroys `tar`, and the other one fails with it.
    const [result] = await Promise.all([filled, written]);
    return result;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

export type TarEntry = {
  readonly name: string;
  text(): Promise<string>;
  /** `target` must not exist. */
  extract(target: string): Promise<void>;
};

/**
 * Yields the entries of `file` in order. Read an entry before the next one, or not at all. Throws when the
 * file ends in the middle of an entry, or holds anything but plain files.
 */
export async function* readTar(file: string): AsyncGenerator<TarEntry> {
  const entries = extract();
  const source = createReadStream(file);
  source.on('error', (error) => entries.destroy(error)).pipe(entries);
  try {
    for await (const entry of entries) {
      if (entry.header.type !== 'file') throw new Error(`${entry.header.name} is not a plain file`);
      yield {
        name: entry.header.name,
        text: () => text(entry),
        extract: (target) => pipeline(entry, createWriteStream(target, { flags: 'wx', mode: MODE })),
      };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}
