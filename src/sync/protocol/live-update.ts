// Live updates: messages that clients send each other on the live topic, with the head, the caret and edits that the
// database has not acknowledged yet. They only save time: every edit that the log takes also arrives as a row.
//
// Layout (numbers are lib0 varuints): version(1 byte = 1) flags(1 byte, always 0) session(16 bytes)
//   n_from n_to head update(length + bytes) caret(length + bytes)
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import type { Bytes } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import { type WeftError, weftError } from './errors.ts';
import { type SessionId, parseSessionId } from './ids.ts';
import { MAX_LIVE_UPDATE_BYTES, MAX_N } from './limits.ts';

export type LiveUpdate = {
  readonly session: SessionId;
  /** The sender's unacknowledged edits `nFrom`–`nTo`, merged in `update`; senders set both to 0 without edits. */
  readonly nFrom: number;
  readonly nTo: number;
  /** The highest seq the sender knows. */
  readonly head: number;
  readonly update: Bytes;
  /** The caret, encoded by `src/sync/live/caret.ts`. Empty: unchanged. One zero byte: no caret. */
  readonly caret: Bytes;
};

const VERSION = 1;

export function encodeLiveUpdate(message: LiveUpdate): Bytes {
  const encoder = encoding.createEncoder();
  encoding.writeUint8(encoder, VERSION);
  encoding.writeUint8(encoder, 0);
  const hex = message.session.replaceAll('-', '');
  for (let at = 0; at < 32; at += 2) encoding.writeUint8(encoder, Number.parseInt(hex.slice(at, at + 2), 16));
  encoding.writeVarUint(encoder, message.nFrom);
  encoding.writeVarUint(encoder, message.nTo);
  encoding.writeVarUint(encoder, message.head);
  encoding.writeVarUint8Array(encoder, message.update);
  encoding.writeVarUint8Array(encoder, message.caret);
  return encoding.toUint8Array(encoder);
}

/** Never throws: a peer may send any bytes. */
export function decodeLiveUpdate(bytes: Uint8Array): Result<LiveUpdate, WeftError> {
  // Twice the most that this version sends.
  if (bytes.length > MAX_LIVE_UPDATE_BYTES * 2) return err(weftError('WF005', 'live update: too large'));
  try {
    const decoder = decoding.createDecoder(bytes);
    const version = decoding.readUint8(decoder);
    if (version !== VERSION) return err(weftError('WF005', `live update of version ${version}`));
    decoding.readUint8(decoder); // Flags: version 1 has none, and a flag never changes the layout.
    let hex = '';
    for (let i = 0; i < 16; i++) hex += decoding.readUint8(decoder).toString(16).padStart(2, '0');
    const session = parseSessionId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
    const nFrom = decoding.readVarUint(decoder);
    const nTo = decoding.readVarUint(decoder);
    const head = decoding.readVarUint(decoder);
    const update = decoding.readVarUint8Array(decoder).slice();
    const caret = decoding.readVarUint8Array(decoder).slice();
    // lib0 rounds numbers beyond 2^53.
    const isExact = [nFrom, nTo, head].every(Number.isSafeInteger);
    const isNumbered = nFrom <= nTo && nTo <= MAX_N && (update.length === 0 || nFrom > 0);
    if (session === null || !isExact || !isNumbered || decoding.hasContent(decoder))
      return err(weftError('WF005', 'live update: malformed'));
    return ok({ session, nFrom, nTo, head, update, caret });
  } catch (error) {
    return err(weftError('WF005', `live update: ${String(error)}`));
  }
}
