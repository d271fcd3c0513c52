// Reads a page's log independently of the app: it fetches the rows with the service key and replays them into an empty
// document. The result is the text that the server really has.
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { bodyText } from 'weft-document/body/body-text.ts';
import * as Y from 'yjs';
import type { WeftServer } from './weft-server.ts';

const rowForm = v.object({
  seq: v.number(),
  session: v.string(),
  n_from: v.number(),
  n_to: v.number(),
  update: v.pipe(v.string(), v.startsWith('\\x')),
  dependencies: v.nullable(v.pipe(v.string(), v.startsWith('\\x'))),
});
export type LogRow = v.InferOutput<typeof rowForm>;

const ROWS_PER_REQUEST = 1000;

export const serviceClient = (server: WeftServer): SupabaseClient =>
  createClient(server.url, server.serviceRoleKey, { auth: { persistSession: false, autoRefreshToken: false } });

/** All rows of a page, oldest first. */
export async function readLog(client: SupabaseClient, document: string): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (;;) {
    const { data, error } = await client
      .from('document_updates')
      .select('seq, session, n_from, n_to, update, dependencies')
      .eq('document_id', document)
      .order('seq')
      .range(rows.length, rows.length + ROWS_PER_REQUEST - 1);
    if (error !== null) throw new Error(error.message);
    const page = v.parse(v.array(rowForm), data);
    rows.push(...page);
    if (page.length < ROWS_PER_REQUEST) return rows;
  }
}

/** The page's text according to the log. Throws if a row needs anything that is not in the rows before it (I11). */
export async function replayText(client: SupabaseClient, document: string): Promise<string> {
  const doc = new Y.Doc();
  for (const [index, row] of (await readLog(client, document)).entries()) {
    if (row.seq !== index + 1) throw new Error(`the log has row ${row.seq} where ${index + 1} belongs`);
    doc.transact(() => {
      for (const part of partsOf(row.dependencies)) Y.applyUpdate(doc, part);
      // A relay (D7) has dependencies only.
      if (row.update !== '\\x') Y.applyUpdate(doc, fromHex(row.update));
    });
    if (doc.store.pendingStructs !== null || doc.store.pendingDs !== null) {
      throw new Error(`row ${row.seq} needs structs that are not in the rows before it`);
    }
  }
  return bodyText(doc);
}

const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice(2), 'hex'));

/** Decodes a packed list of parts: count (int2), then session (16), client (8), from (4), to (4), size (4), bytes. */
function partsOf(dependencies: string | null): Uint8Array[] {
  if (dependencies === null) return [];
  const bytes = fromHex(dependencies);
  const view = new DataView(bytes.buffer);
  const parts: Uint8Array[] = [];
  let at = 2;
  for (let left = view.getInt16(0); left > 0; left--) {
    const size = view.getInt32(at + 32);
    parts.push(bytes.slice(at + 36, at + 36 + size));
    at += 36 + size;
  }
  return parts;
}
