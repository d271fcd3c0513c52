// Row messages: rows of the log in answers (as base64) and on the live, view and watch topics; and edits between tabs.
//
// Layout; numbers are big-endian, as Postgres' int2send, int4send and int8send write them:
//   message := version(1 byte = 1 to 4) kind(1 byte) head(int8) [kind 1: [from 4 on: before(int8, ms since 1970)] count(int4) row*]
//   kind    := 1 rows · 2 fetch (the rows do not fit: ask the database for them)
//   row     := seq(int8) [from 2 on: at(int8, ms since 1970)] [from 3 on: firstSeq(int8) firstAt(int8)] part dependencies(int2 count) part*
//   part    := session(16) client_id(int8) n_from(int4) n_to(int4) size(int4) bytes
// Version 4 has the time of the row before the first one (0: there is none), by which a reader knows that the rows continue what
// it has (HI2). Version 3 has compacted rows; for apps that read an older one the database puts empty rows in the place of the
// missing numbers. Version 1 has no times. Tabs write it, because outboxes have none; a tab that runs an older app may
// read nothing else.
import { type Bytes, concatBytes } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import { type WeftError, weftError } from './errors.ts';
import { firstSeqOf } from './first-seq.ts';
import type { SessionId } from './ids.ts';

/** The edits `nFrom`–`nTo` of one session, merged into one Yjs update (V1). */
export type Part = {
  readonly session: SessionId;
  /**
   * The Yjs client id registered for the session. All structs in `update` must have it, except in a row of no session.
   */
  readonly clientId: number;
  readonly nFrom: number;
  readonly nTo: number;
  readonly update: Bytes;
};

/** One entry of the log. `dependencies` are the parts of other sessions it builds on; all apply in one transaction. */
export type Row = Part & {
  readonly seq: number;
  /**
   * When the database wrote the row, in ms since 1970 by its own clock. Missing in messages between tabs, in rows that
   * this device stored before messages had times, and in the first row of a page that was made here.
   */
  readonly at?: number | undefined;
  /**
   * A compacted row stands for the rows from this one on: one editing session, of which `dependencies` are the other authors'
   * edits.
   */
  readonly firstSeq?: number | undefined;
  /** The time of the first of them, as `at`. */
  readonly firstAt?: number | undefined;
  /**
   * The time of the row before it (before `firstSeq`), as `at`. Missing: the message did not say, or the row was stored before
   * rows were stored with it.
   */
  readonly follows?: number | undefined;
  readonly dependencies: readonly Part[];
};

export type RowMessage =
  | {
      readonly kind: 'rows';
      readonly head: number;
      /** The time of the row before the first one, in ms since 1970; 0: there is none. */
      readonly before?: number;
      readonly rows: readonly Row[];
    }
  | { readonly kind: 'fetch'; readonly head: number };

/** The newest version that this app reads. Answers of the database have it; see `weft.encode_rows`. */
export const ROW_VERSION = 4;

/** Decodes a whole message. Trailing bytes, a wrong count or a size beyond the end make it malformed (WF005). */
export function decodeRows(bytes: Uint8Array): Result<RowMessage, WeftError> {
  const reader = new Reader(bytes);
  try {
    const version = reader.uint8();
    if (version < 1 || version > ROW_VERSION) return err(weftError('WF005', `row message of version ${version}`));
    const kind = reader.uint8();
    const head = reader.int8();
    if (kind === 2) return reader.done() ? ok({ kind: 'fetch', head }) : err(weftError('WF005', 'trailing bytes'));
    if (kind !== 1) return err(weftError('WF005', `row message of kind ${kind}`));
    const before = version > 3 ? { before: reader.int8() } : {};
    const count = reader.int4();
    const rows: Row[] = [];
    let follows = before.before;
    for (let i = 0; i < count; i++) {
      const row = reader.row(version);
      rows.push(follows === undefined ? row : { ...row, follows });
      if (follows !== undefined) follows = row.at;
    }
    return reader.done() ? ok({ kind: 'rows', head, ...before, rows }) : err(weftError('WF005', 'trailing bytes'));
  } catch (error) {
    if (error instanceof RangeError) return err(weftError('WF005', `row message: ${error.message}`));
    throw error;
  }
}

/**
 * Writes the bytes that the database writes in `weft.encode_rows`, for messages between tabs and for tests. Rows
 * without times give version 1; rows with times the oldest version that has what the message has, but `atLeast` that
 * one.
 */
export function encodeRows(message: RowMessage, atLeast = 1): Bytes {
  const writer = new Writer();
  const hasTimes =
    message.kind === 'rows' && message.rows.length > 0 && message.rows.every(({ at }) => at !== undefined);
  const isCompacted = message.kind === 'rows' && message.rows.some(({ firstSeq }) => firstSeq !== undefined);
  const before = message.kind === 'rows' ? message.before : undefined;
  const version = hasTimes ? Math.max(atLeast, before !== undefined ? 4 : isCompacted ? 3 : 2) : 1;
  writer.uint8(version);
  writer.uint8(message.kind === 'rows' ? 1 : 2);
  writer.int8(message.head);
  if (message.kind === 'rows') {
    if (version > 3) writer.int8(before ?? 0);
    writer.int4(message.rows.length);
    for (const row of message.rows) {
      writer.int8(row.seq);
      if (version > 1) writer.int8(row.at ?? 0);
      if (version > 2) {
        writer.int8(firstSeqOf(row));
        writer.int8(row.firstAt ?? row.at ?? 0);
      }
      writer.part(row);
      writer.int2(row.dependencies.length);
      for (const part of row.dependencies) writer.part(part);
    }
  }
  return writer.bytes();
}

/** Throws a RangeError if the message is too short: every size is checked against the rest before bytes are copied. */
class Reader {
  readonly #view: DataView;
  #at = 0;
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  done() {
    return this.#at === this.#view.byteLength;
  }
  uint8() {
    return this.#view.getUint8(this.#step(1));
  }
  int2() {
    return this.#count(this.#view.getInt16(this.#step(2)));
  }
  int4() {
    return this.#count(this.#view.getInt32(this.#step(4)));
  }
  int8() {
    const value = this.#view.getBigInt64(this.#step(8));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('number beyond 2^53');
    return this.#count(Number(value));
  }
  row(version: number): Row {
    const seq = this.int8();
    const time = version > 1 ? { at: this.int8() } : {};
    const first = version > 2 ? { firstSeq: this.int8(), firstAt: this.int8() } : null;
    if (first !== null && first.firstSeq > seq) throw new RangeError('stands for rows after it');
    const own = this.part();
    const count = this.int2();
    const dependencies: Part[] = [];
    for (let i = 0; i < count; i++) dependencies.push(this.part());
    return { seq, ...time, ...(first === null || first.firstSeq === seq ? {} : first), ...own, dependencies };
  }
  part(): Part {
    const session = this.#uuid();
    const clientId = this.int8();
    const nFrom = this.int4();
    const nTo = this.int4();
    const size = this.int4();
    const at = this.#step(size);
    const update = new Uint8Array(size);
    update.set(new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, size));
    return { session, clientId, nFrom, nTo, update };
  }
  #uuid(): SessionId {
    const at = this.#step(16);
    let hex = '';
    for (let i = 0; i < 16; i++) {
      hex += this.#view
        .getUint8(at + i)
        .toString(16)
        .padStart(2, '0');
      if (i === 3 || i === 5 || i === 7 || i === 9) hex += '-';
    }
    return hex as SessionId;
  }
  #count(value: number) {
    if (value < 0) throw new RangeError('negative number');
    return value;
  }
  #step(size: number) {
    const at = this.#at;
    if (at + size > this.#view.byteLength) throw new RangeError('ends too early');
    this.#at += size;
    return at;
  }
}

/**
 * Keeps updates as whole chunks instead of single bytes, because a paste of a megabyte passes here on its way to other
 * tabs.
 */
class Writer {
  readonly #chunks: Uint8Array[] = [];
  #bytes: number[] = [];
  uint8(value: number) {
    this.#bytes.push(value & 0xff);
  }
  int2(value: number) {
    this.#bytes.push((value >>> 8) & 0xff, value & 0xff);
  }
  int4(value: number) {
    this.int2(value >>> 16);
    this.int2(value & 0xffff);
  }
  int8(value: number) {
    this.int4(Math.floor(value / 2 ** 32));
    this.int4(value % 2 ** 32);
  }
  part(part: Part) {
    const hex = part.session.replaceAll('-', '');
    for (let at = 0; at < 32; at += 2) this.uint8(Number.parseInt(hex.slice(at, at + 2), 16));
    this.int8(part.clientId);
    this.int4(part.nFrom);
    this.int4(part.nTo);
    this.int4(part.update.length);
    this.#chunks.push(Uint8Array.from(this.#bytes), part.update);
    this.#bytes = [];
  }
  bytes(): Bytes {
    return concatBytes([...this.#chunks, Uint8Array.from(this.#bytes)]);
  }
}
