// Writes and reads the tar file of a backup: plain files, one after the other. `tar-stream` knows the format; this module
// says when a file is complete on disk, and refuses anything but plain files.
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, extract, pack } from 'tar-stream';
import { systemCode } from '../start-error.ts';

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
export async function writeTar<T>(
  file: string,
  fill: (tar: TarWriter) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
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
  const written = pipeline(tar, handle.createWriteStream({ flush: true }), { signal });
  // When one of the two fails, it destroys `tar`, and the other one fails with it. `written` then knows why.
  const [result, end] = await Promise.allSettled([filled, written]);
  if (result.status === 'fulfilled' && end.status === 'fulfilled') return result.value;
  await rm(file, { force: true });
  throw end.status === 'rejected' ? end.reason : result.status === 'rejected' ? result.reason : null;
}

export type TarEntry = {
  readonly name: string;
  /** Rejects above `maxBytes`. */
  text(maxBytes: number): Promise<string>;
  /** `target` must not exist. */
  extract(target: string): Promise<void>;
};

/**
 * Yields the entries of `file` in order. Read an entry before the next one, or not at all. Throws when the file ends in the
 * middle of an entry or holds anything but plain files, and when `signal` aborts.
 */
export async function* readTar(file: string, signal?: AbortSignal): AsyncGenerator<TarEntry> {
  const entries = extract();
  const ended = new AbortController();
  const stop = AbortSignal.any([ended.signal, ...(signal === undefined ? [] : [signal])]);
  // When the source fails or ends early, `entries` can leave the entry that is being read open, and its reader waits for ever.
  const fed = pipeline(createReadStream(file), entries, { signal: stop }).catch((error: unknown) => ended.abort(error));
  /** Throws the reason of an abort in place of the error that says only that there was one. */
  const explain = (error: unknown): never => {
    throw stop.aborted && systemCode(error) === 'ABORT_ERR' ? stop.reason : error;
  };
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header;
      if (type !== 'file') throw new Error(`${printable(name)} is not a plain file`);
      yield {
        name,
        text: (maxBytes) => textOf(entry, maxBytes, stop).catch(explain),
        extract: (target) =>
          pipeline(entry, createWriteStream(target, { flags: 'wx', mode: MODE }), { signal: stop }).catch(explain),
      };
      stop.throwIfAborted();
      entry.resume();
    }
    stop.throwIfAborted();
  } catch (error) {
    explain(error);
  } finally {
    ended.abort();
    await fed;
  }
}

async function textOf(entry: AsyncIterable<unknown>, maxBytes: number, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = new Writable({
    write(chunk: Buffer, _, done) {
      size += chunk.length;
      chunks.push(chunk);
      done(size > maxBytes ? new Error('an entry is larger than a backup has any') : null);
    },
  });
  await pipeline(entry, collect, { signal });
  return Buffer.concat(chunks).toString();
}

/** A name from a tar file, for a terminal. */
export const printable = (text: string): string => text.slice(0, 200).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
