// Makes WebAssembly of this thread use memory that other threads can write: the only way to reach a Postgres that runs,
// because it is one uninterrupted call. Modules say in their import of a memory whether it is shared; that one byte is
// changed on the way. To be called in a thread that runs PGlite and nothing else, before PGlite is loaded.

const IMPORT_SECTION = 2;
const SHARED = 3;
/** Of a memory's limits; 4 GiB, as much as there can be. */
const MOST_PAGES = 65_536;

export function shareMemory(): void {
  const { Module, Memory, compile, instantiate } = WebAssembly;
  Object.assign(WebAssembly, {
    Module: new Proxy(Module, { construct: (_, [bytes]) => new Module(withSharedMemory(bytes)) }),
    Memory: new Proxy(Memory, { construct: (_, [limits]) => new Memory({ ...limits, shared: true }) }),
    compile: (bytes: BufferSource) => compile(withSharedMemory(bytes)),
    instantiate: (source: BufferSource | WebAssembly.Module, imports?: WebAssembly.Imports) =>
      source instanceof Module ? instantiate(source, imports) : instantiate(withSharedMemory(source), imports),
    // PGlite falls back to the ones above.
    compileStreaming: undefined,
    instantiateStreaming: undefined,
  });
}

/** The same module, its imported memory declared as shared; the very same when it imports none. */
export function withSharedMemory(source: BufferSource): Uint8Array<ArrayBuffer> {
  const view = ArrayBuffer.isView(source) ? source : new Uint8Array(source);
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  // https://webassembly.github.io/spec/core/binary/modules.html: a header of 8 bytes, then sections.
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const start = reader.at;
    const id = reader.byte();
    const length = reader.number();
    const body = reader.at;
    if (id === IMPORT_SECTION) {
      const limits = reader.memoryLimits();
      if (limits === null) break;
      const content = Buffer.concat([
        bytes.subarray(body, limits.from),
        Buffer.from([SHARED, ...encode(limits.minimum), ...encode(MOST_PAGES)]),
        bytes.subarray(limits.to, body + length),
      ]);
      return new Uint8Array(
        Buffer.concat([
          bytes.subarray(0, start),
          Buffer.from([IMPORT_SECTION, ...encode(content.length)]),
          content,
          bytes.subarray(body + length),
        ]),
      );
    }
    reader.at = body + length;
  }
  return new Uint8Array(bytes);
}

class Reader {
  readonly #bytes: Buffer;
  at: number;
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.at++);
  }

  /** LEB128, unsigned. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  }

  name(): void {
    const length = this.number();
    this.at += length;
  }

  /** Where the limits of the imported memory stand; the reader is at the begin of an import section. */
  memoryLimits(): { readonly from: number; readonly to: number; readonly minimum: number } | null {
    for (let left = this.number(); left > 0; left--) {
      this.name();
      this.name();
      const kind = this.byte();
      if (kind === 0) this.number();
      else if (kind === 3) this.at += 2;
      else if (kind === 4) {
        this.byte();
        this.number();
      } else {
        if (kind === 1) this.byte();
        const from = this.at;
        const hasMaximum = (this.byte() & 1) === 1;
        const minimum = this.number();
        if (hasMaximum) this.number();
        if (kind === 2) return { from, to: this.at, minimum };
      }
    }
    return null;
  }
}

function encode(value: number): number[] {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
