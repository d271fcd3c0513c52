// A row of realtime.messages, as far as this server reads it.
import * as v from 'valibot';
import type { Content } from '../wire/wire-message.ts';

export const storedMessageSchema = v.object({
  topic: v.string(),
  event: v.string(),
  private: v.boolean(),
  /** JSON as Postgres writes it; it is passed on unparsed. */
  json: v.nullable(v.string()),
  base64: v.nullable(v.string()),
});
export type StoredMessage = v.InferOutput<typeof storedMessageSchema>;

export function contentOf(row: StoredMessage): Content {
  return row.json === null
    ? { encoding: 'bytes', content: Buffer.from(row.base64 ?? '', 'base64') }
    : { encoding: 'json', content: Buffer.from(row.json) };
}
