// Opening and closing a page a hundred times over supabase-js and the embedded backend leaves nothing behind in the
// process.
import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as Y from 'yjs';
import { runWithGc } from '../../support/process/run-with-gc.ts';
import { PASSWORD, type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { rpc } from '../../support/server/rpc.ts';

const ROWS = 2_000;
/** One document of this size takes more than a megabyte. HTTP's connection caches vary by some hundred KiB. */
const GROWTH_BYTES = 3 * 1024 * 1024;

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.close());

/**
 * A page with 2,000 rows by one session, inserted without the functions: appending them would take longer than the
 * test.
 */
async function longPage(author: Person): Promise<string> {
  const [document, session, clientId] = [randomUUID(), randomUUID(), randomInt(1024, 2 ** 32)];
  await rpc(author.client, 'create_workspace', { id: randomUUID(), name: 'Memory', document });
  await rpc(author.client, 'start_session', { document, session, client_id: clientId, schema_version: 1 });
  const doc = new Y.Doc();
  doc.clientID = clientId;
  const updates: string[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(Buffer.from(update).toString('hex')));
  for (let n = 0; n < ROWS; n++) doc.getText('t').insert(n % 7 === 0 ? 0 : doc.getText('t').length, 'word ');
  await backend.pg.query(
    `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update)
     select $1, n + 1, $2, n, n, $3, decode(hex, 'hex') from unnest($4::text[]) with ordinality as given (hex, n)`,
    [document, session, author.id, updates],
  );
  await backend.pg.query('update public.document_heads set head_seq = $2 where document_id = $1', [document, ROWS + 1]);
  await backend.pg.query('update public.document_sessions set last_n = $2 where session = $1', [session, ROWS]);
  return document;
}

const moment = v.object({ heap: v.number(), listeners: v.number() });
const left = v.object({
  rows: v.number(),
  after20: moment,
  after100: moment,
  resources: v.record(v.string(), v.number()),
  docs: v.number(),
  sessions: v.number(),
  channels: v.number(),
  locks: v.number(),
  listening: v.number(),
});

test(
  '[I9] [LK5] a hundred opens and closes over supabase-js leave no channel, timer, socket, listener or document',
  { timeout: 120_000 },
  async () => {
    const author = await backend.signUp();
    const page = await longPage(author);
    const child = join(import.meta.dirname, 'memory-loop.ts');
    const { anonKey } = backend.server;
    const seen = await runWithGc(left, child, backend.url, anonKey, author.email, PASSWORD, author.id, page);
    const { rows, after20, after100, resources, ...rest } = seen;
    expect(rows).toBe(ROWS * 'word '.length);
    expect(rest).toEqual({ docs: 0, sessions: 0, channels: 0, locks: 0, listening: 0 });
    // The client's own: its socket, its kept-alive connections, and their timers.
    expect(resources['Timeout'] ?? 0).toBeLessThanOrEqual(3);
    expect(resources['TCPSocketWrap'] ?? 0).toBeLessThanOrEqual(4);
    expect(after100.listeners).toBe(after20.listeners);
    expect(after100.heap - after20.heap).toBeLessThan(GROWTH_BYTES);
  },
);
