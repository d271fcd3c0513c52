// A backend in a process of its own, so that its event loop serves no one but its clients. Limits per address apply to this
// machine too. Sends its address and key, answers every message with the bytes of memory that it holds after a garbage
// collection, and ends when its parent disconnects.
import process from 'node:process';
import { startServer } from '../../../backend/http/server.ts';
import { assert } from '../../../src/lib/assert.ts';

const server = await startServer({
  port: 0,
  host: '127.0.0.1',
  dir: null,
  databaseUrl: process.argv[2],
  limits: { forLoopback: true },
  log: () => {},
});
// The broadcasts that are measured go over a private topic; the backend refuses public ones.
await server.database.pg.exec(`create policy attacked on realtime.messages for all to anon
  using (realtime.topic() = 'attacked') with check (realtime.topic() = 'attacked')`);
process.on('message', () => {
  assert(globalThis.gc !== undefined, 'it runs with --expose-gc');
  globalThis.gc();
  process.send?.(process.memoryUsage.rss());
});
process.once('disconnect', () => void server.close());
process.send?.({ url: server.url, key: server.anonKey });
