// Weft's backend on a PostgreSQL of its own, which waits for the disk at every commit, as people run it. Keys and files are
// in a temporary directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startServer } from '../../backend/http/server.ts';
import { openPostgres } from '../../tests/support/database/real-postgres.ts';
import { sayAddress } from './say-address.ts';

const postgres = await openPostgres({ isDurable: true });
const dir = await mkdtemp(join(tmpdir(), 'weft-bench-'));
const server = await startServer({ port: 0, host: '127.0.0.1', dir, databaseUrl: postgres.url });
sayAddress({ url: server.url, anonKey: server.anonKey });
process.on('SIGTERM', () => {
  void server
    .close()
    .then(() => postgres.stop())
    .then(() => rm(dir, { recursive: true, force: true }))
    .then(() => process.exit(0));
});
