// The memory of the backend after bodies of the largest size that a signed-in person may send. Only a series shows what the process
// never gives back: `npm run attack` sends twenty. That parts are freed at once is tests/backend/gateway/body-memory.test.ts.
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttackedServer } from './support/attacked-server.ts';
import { IS_LONG } from './support/is-long.ts';

const MIB = 1024 * 1024;
const LARGE = 47 * MIB;
const SMALL = 1_000;
const ROUNDS = IS_LONG ? 10 : 1;

let server: AttackedServer;
beforeAll(async () => {
  server = await AttackedServer.start();
});
afterAll(() => server.close());

test('is back within 100 MB of what it was', async () => {
  const { url, key } = server.place;
  const client = createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
  await client.auth.signInAnonymously();
  const document = '00000000-0000-4000-8000-000000000000';
  const send = (length: number) =>
    client.rpc('save_snapshot', { document, seq: 1, state: 'x'.repeat(length), sha256: 'x' });
  for (let call = 0; call < 50; call++) await send(SMALL);
  const before = await server.memory();
  for (let round = 0; round < ROUNDS; round++) await Promise.all([send(LARGE), send(LARGE)]);
  // The engine frees memory in a thread of its own, a moment after a collection.
  await expect.poll(async () => (await server.memory()) - before, { timeout: 5_000 }).toBeLessThan(100 * MIB);
}, 120_000);
