// What IndexedDB hands back, parsed: another version of the app, or the person at the keyboard, may have written it.
import * as v from 'valibot';
import type { Bytes } from '../../lib/bytes.ts';
import { type WeftError, isWeftCode } from '../../protocol/errors.ts';
import { parseDocumentId, parseSessionId, parseWorkspaceId } from '../../protocol/ids.ts';
import { DOCUMENT_ROLES } from '../../protocol/roles.ts';
import { branded, count } from '../../protocol/shapes.ts';

const bytes = v.custom<Bytes>((value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer);
const session = branded(parseSessionId);
export const document = branded(parseDocumentId);

const part = { session, clientId: count, nFrom: count, nTo: count, update: bytes };
export const row = v.object({ document, seq: count, ...part, carried: v.array(v.object(part)) });

export const kept = v.object({
  document,
  meta: v.object({ seq: count, schemaVersion: count, title: v.string(), role: v.picklist(DOCUMENT_ROLES) }),
  openedAt: v.number(),
  bytes: v.nullable(v.number()),
});
export const snapshot = v.object({ document, seq: count, state: bytes });

const refusal = v.custom<WeftError['code']>((value) => value === 'unknown' || isWeftCode(value));
export const outbox = v.object({
  document,
  session,
  clientId: count,
  openedAt: v.number(),
  refused: v.nullable(refusal),
});

const edit = { n: count, update: bytes, at: v.number(), buildsOn: v.array(v.object(part)) };
export const entry = v.object({ document, session, ...edit });

export const held = v.object({
  document,
  session,
  clientId: count,
  openedAt: v.number(),
  entry: v.object(edit),
});

export const newPage = v.object({
  id: document,
  workspace: branded(parseWorkspaceId),
  parent: v.nullable(document),
  rank: v.string(),
  title: v.string(),
  /** Milliseconds since 1970. */
  madeAt: v.number(),
  refused: v.nullable(refusal),
});

export function parsed<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | null {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}
