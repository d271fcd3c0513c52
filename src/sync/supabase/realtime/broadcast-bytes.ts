// Reads the bytes of a broadcast, whether binary or base64, and keeps only what its sender can be trusted with.
import * as v from 'valibot';
import { type Bytes, fromBase64 } from '../../../lib/bytes.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import { decodeRows, encodeRows } from '../../protocol/row.ts';

const NOTHING: Bytes = new Uint8Array(0);
const inBase64 = v.object({ b: v.string() });

/**
 * Older projects send the database's bytes as base64 in JSON. If a client could have sent the same JSON, only the hint
 * that there are new rows is passed on, and the session fetches them from the log.
 */
export function trustedBytesOf(payload: unknown, isForgeable: boolean): Bytes {
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload.slice(0));
  const inJson = parseOrNull(inBase64, payload);
  const bytes = (inJson === null ? null : fromBase64(inJson.b)) ?? NOTHING;
  if (!isForgeable) return bytes;
  const rows = decodeRows(bytes);
  return rows.ok ? encodeRows({ kind: 'fetch', head: rows.value.head }) : NOTHING;
}
