// Weft's embedded backend, as `npm run backend -- --memory` runs it; `--disk` keeps its data in a temporary directory,
// as `npm start` does. Serves the app if it has been built.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { startServer } from '../../backend/http/server.ts';
import { isPlan } from '../../backend/realtime/limits/plans.ts';
import { ROOT } from '../../scripts/root.mjs';
import { temporaryFolder } from '../../tests/support/server/temporary-folder.ts';
import { printAddress } from './server-address.ts';

const dir = process.argv.includes('--disk') ? await temporaryFolder('bench') : null;
const given = process.argv[process.argv.indexOf('--plan') + 1] ?? '';
const server = await startServer({
  port: 0,
  host: '127.0.0.1',
  dir,
  staticDir: join(ROOT, 'dist'),
  plan: isPlan(given) ? given : undefined,
  // y-supabase, which is measured beside Weft, uses a public channel.
  realtimeLimits: { privateOnly: false },
});
// One account fills workspaces of 10,000 pages.
await server.database.pg.query(
  `update weft.settings set quotas = '{"pages_per_hour": [100000, 100000], "pages_per_day": [100000, 100000]}'`,
);
printAddress({ url: server.url, anonKey: server.anonKey });
process.on('SIGTERM', () => {
  void server
    .close()
    .then(() => (dir === null ? undefined : rm(dir, { recursive: true, force: true })))
    .then(() => process.exit(0));
});
