// What clients send each other on the live topic (sync.md, L1). In this version the text part stays empty:
// rows mode carries the text; the frames layer fills it later without a change of the layout.
//
// Layout (lib0 varuints): version(1 byte = 1) flags(1 byte, reserved 0: later "signed") session(16 bytes)
//   n_from n_to head, update(length + bytes), caret(length + bytes)
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { type Result, err, ok } from '../lib/result.ts';
import type { Bytes } from '../lib/bytes.ts';
import { type WeftError, weftError } from './errors.ts';
import { type SessionId, parseSessionId } from './ids.ts';
import { MAX_FRAME_BYTES, MAX_N } from './limits.ts';

export type Frame = {
  readonly session: SessionId;
  /** Own unacknowledged edits in `update`; both 0 when it holds none. */
  readonly nFrom: number;
  readonly nTo: number;
  /** The highest seq the sender knows of. */
  readonly head: number;
  readonly update: Bytes;
  /** The caret, packed by `src/sync/caret.ts`; empty = unchanged; one zero byte = no caret. */
  readonly caret: Bytes;
};

const VERSION = 1;

export function encodeFrame(frame: Frame): Bytes {
  const encoder = encoding.createEncoder();
  encoding.writeUint8(encoder, VERSION);
  encoding.writeUint8(encoder, 0);
  const hex = frame.session.replaceAll('-', '');
  for (let at = 0; at < 32; at += 2) encoding.writeUint8(encoder, Number.parseInt(hex.slice(at, at + 2), 16));
  encoding.writeVarUint(encoder, frame.nFrom);
  encoding.writeVarUint(encoder, frame.nTo);
  encoding.writeVarUint(encoder, frame.head);
  encoding.writeVarUint8Array(encoder, frame.update);
  encoding.writeVarUint8Array(encoder, frame.caret);
  return encoding.toUint8Array(encoder);
}

/** Never throws: whatever a peer sends is a frame or a reason. */
export function decodeFrame(bytes: Uint8Array): Result<Frame, WeftError> {
  if (bytes.length > MAX_FRAME_BYTES * 2) return err(weftError('WF005', 'frame too large'));
  try {
    const decoder = decoding.createDecoder(bytes);
    const version = decoding.readUint8(decoder);
    if (version !== VERSION) return err(weftError('WF005', `frame of version ${version}`));
    decoding.readUint8(decoder); // flags: none is known yet, and none changes the layout
    let hex = '';
    for (let i = 0; i < 16; i++) hex += decoding.readUint8(decoder).toString(16).padStart(2, '0');
    const session = parseSessionId(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
    const nFrom = decoding.readVarUint(decoder);
    const nTo = decoding.readVarUint(decoder);
    const head = decoding.readVarUint(decoder);
    const update = decoding.readVarUint8Array(decoder).slice();
    const caret = decoding.readVarUint8Array(decoder).slice();
    // lib0 reads numbers beyond 2^53 without their last digits.
    const isExact = [nFrom, nTo, head].every(Number.isSafeInteger);
    const isNumbered = nFrom <= nTo && nTo <= MAX_N && (update.length === 0 || nFrom > 0);
    if (session === null || !isExact || !isNumbered || decoding.hasContent(decoder))
      return err(weftError('WF005', 'malformed frame'));
    return ok({ session, nFrom, nTo, head, update, caret });
  } catch (error) {
    return err(weftError('WF005', `frame: ${String(error)}`));
  }
}
