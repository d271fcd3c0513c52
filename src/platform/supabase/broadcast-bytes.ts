// The bytes of a broadcast, however they travelled, and as much of them as the way they came allows to believe.
import * as v from 'valibot';
import { type Bytes, fromBase64 } from '../../lib/bytes.ts';
import { decodeRows, encodeRows } from '../../protocol/row.ts';

const NOTHING: Bytes = new Uint8Array(0);
const inBase64 = v.object({ b: v.string() });

/**
 * Older projects send the database's bytes as base64 in JSON. Where a client could have written the same JSON, only the
 * hint is passed on that there are new rows: the log tells them.
 */
export function bytesOf(payload: unknown, isForgeable: boolean): Bytes {
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload.slice(0));
  const parsed = v.safeParse(inBase64, payload);
  const bytes = (parsed.success ? fromBase64(parsed.output.b) : null) ?? NOTHING;
  if (!isForgeable) return bytes;
  const rows = decodeRows(bytes);
  return rows.ok ? encodeRows({ kind: 'fetch', head: rows.value.head }) : NOTHING;
}
