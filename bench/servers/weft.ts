// Weft's embedded backend, as `npm run backend -- --memory` runs it; `--disk` keeps its data in a temporary directory,
// as `npm start` does. Serves the built app where there is one. The database starts from the image that the tests use, which spares four seconds.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startServer } from '../../backend/http/server.ts';
import { ROOT } from '../../scripts/root.mjs';
import { databaseImage } from '../../tests/support/database/database-image.ts';
import { sayAddress } from './say-address.ts';

const dir = process.argv.includes('--disk') ? await mkdtemp(join(tmpdir(), 'weft-bench-')) : null;
// The image is for memory only: PGlite loads none into a directory.
const image = dir === null ? { image: await databaseImage() } : {};
const server = await startServer({ port: 0, host: '127.0.0.1', dir, staticDir: join(ROOT, 'dist'), ...image });
sayAddress({ url: server.url, anonKey: server.anonKey });
process.on('SIGTERM', () => {
  void server
    .close()
    .then(() => (dir === null ? undefined : rm(dir, { recursive: true, force: true })))
    .then(() => process.exit(0));
});
