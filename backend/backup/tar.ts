// The part of the tar format (POSIX ustar) that a backup needs: plain files with short names, written one after the other
// and read the same way, so that any `tar` opens it. Knows nothing of what they hold.
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

const BLOCK = 512;
/** Of the header's field; what a backup names is shorter. */
const MAX_NAME_BYTES = 100;
/** Eleven octal digits. */
const MAX_OCTAL_SIZE = 8 ** 11 - 1;

export class TarWriter {
  readonly #file: string;
  readonly #handle: FileHandle;
  #at = 0;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  /** `file` must not exist; readable by its owner alone. */
  static async create(file: string): Promise<TarWriter> {
    return new TarWriter(file, await open(file, 'wx', 0o600));
  }

  async add(name: string, content: string): Promise<void> {
    const bytes = Buffer.from(content);
    await this.#write(headerOf(name, bytes.length));
    await this.#write(bytes);
    await this.#pad(bytes.length);
  }

  /** What `source` holds now; it must not change meanwhile. */
  async addFile(name: string, source: string): Promise<void> {
    const { size } = await stat(source);
    await this.#write(headerOf(name, size));
    await pipeline(createReadStream(source), createWriteStream(this.#file, { flags: 'r+', start: this.#at }));
    this.#at += size;
    const written = (await this.#handle.stat()).size;
    if (written !== this.#at) throw new Error(`${source} changed while it was read`);
    await this.#pad(size);
  }

  /** Resolves when all of it is on the disk. */
  async close(): Promise<void> {
    try {
      await this.#write(Buffer.alloc(2 * BLOCK));
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
    }
  }

  async abort(): Promise<void> {
    await this.#handle.close();
  }

  #pad(size: number): Promise<void> {
    return this.#write(Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK));
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, from, bytes.length - from, this.#at);
      from += bytesWritten;
      this.#at += bytesWritten;
    }
  }
}

export type TarEntry = {
  readonly name: string;
  readonly size: number;
  text(): Promise<string>;
  /** `target` must not exist. */
  extract(target: string): Promise<void>;
};

/** Its files in their order. Throws when it is not whole, or not a tar of plain files. */
export async function* readTar(file: string): AsyncGenerator<TarEntry> {
  const handle = await open(file, 'r');
  try {
    const { size: end } = await handle.stat();
    for (let at = 0; ;) {
      const header = Buffer.alloc(BLOCK);
      const { bytesRead } = await handle.read(header, 0, BLOCK, at);
      if (bytesRead < BLOCK) throw new Error('the file ends too early');
      if (header.every((byte) => byte === 0)) return;
      const { name, size } = parseHeader(header);
      const start = at + BLOCK;
      if (start + size > end) throw new Error('the file ends too early');
      yield entryOf(file, handle, name, start, size);
      at = start + Math.ceil(size / BLOCK) * BLOCK;
    }
  } finally {
    await handle.close();
  }
}

function entryOf(file: string, handle: FileHandle, name: string, start: number, size: number): TarEntry {
  return {
    name,
    size,
    async text() {
      const bytes = Buffer.alloc(size);
      for (let from = 0; from < size;) {
        const { bytesRead } = await handle.read(bytes, from, size - from, start + from);
        if (bytesRead === 0) throw new Error('the file ends too early');
        from += bytesRead;
      }
      return bytes.toString('utf8');
    },
    async extract(target) {
      const source = size === 0 ? [] : createReadStream(file, { start, end: start + size - 1 });
      await pipeline(source, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
    },
  };
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`${name} is too long a name`);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size <= MAX_OCTAL_SIZE) header.write(`${octal(size, 11)}\0`, 124);
  else {
    // Larger than the digits allow: as a number, marked by its first bit; GNU, BSD and Windows read it.
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(`${octal(Math.floor(Date.now() / 1000), 11)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148);
  return header;
}

function parseHeader(header: Buffer): { readonly name: string; readonly size: number } {
  const sum = Number.parseInt(textOf(header, 148, 8), 8);
  const type = textOf(header, 156, 1);
  if (sum !== checksumOf(header) || (type !== '0' && type !== '')) throw new Error('this is no backup of Weft');
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(textOf(header, 124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('this is no backup of Weft');
  return { name: textOf(header, 0, MAX_NAME_BYTES), size };
}

/** Of all bytes, its own field read as blanks. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0);
  return sum;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

function textOf(header: Buffer, start: number, length: number): string {
  const [text = ''] = header.toString('utf8', start, start + length).split('\0', 1);
  return text.trim();
}
