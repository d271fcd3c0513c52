// The memory of the backend after large bodies of a signed-in person. Only a series shows what the process never gives back:
// `npm run attack` sends one. That parts are freed at once is tests/backend/gateway/body-memory.test.ts.
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttackedServer } from './support/attacked-server.ts';
import { IS_LONG } from './support/is-long.ts';

const MIB = 1024 * 1024;
const SMALL = 1_000;

let server: AttackedServer;
beforeAll(async () => {
  server = await AttackedServer.start();
});
afterAll(() => server.close());

test.each([
  { name: '47 MiB, the largest', bytes: 47 * MIB, atOnce: 2, rounds: IS_LONG ? 10 : 1 },
  // Below 32 MiB glibc soon takes memory from its heap, of which it gives back only the end: that is why `npm start` sets
  // MALLOC_MMAP_THRESHOLD_.
  { name: '8 MiB', bytes: 8 * MIB, atOnce: 4, rounds: IS_LONG ? 24 : 1 },
])(
  'is back within 100 MB of what it was, after bodies of $name',
  async ({ name, bytes, atOnce, rounds }) => {
    const { url, key } = server.place;
    const client = createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
    await client.auth.signInAnonymously();
    const document = '00000000-0000-4000-8000-000000000000';
    const send = (length: number) =>
      client.rpc('save_snapshot', { document, seq: 1, state: 'x'.repeat(length), sha256: 'x' });
    for (let call = 0; call < 50; call++) await send(SMALL);
    const before = await server.memory();
    for (let round = 0; round < rounds; round++) await Promise.all(Array.from({ length: atOnce }, () => send(bytes)));
    // The engine frees memory in a thread of its own, a moment after a collection.
    const kept = async () => (await server.memory()) - before;
    await expect.poll(kept, { timeout: 5_000 }).toBeLessThan(100 * MIB);
    if (IS_LONG) process.stdout.write(`${rounds * atOnce} × ${name}: ${Math.round((await kept()) / MIB)} MiB kept\n`);
  },
  300_000,
);
