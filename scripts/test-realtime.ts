// `npm run test:realtime`: runs the conformance suite of Realtime on our server, or on the server in REALTIME_URL.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { TESTED_SERVER } from './checks/forget-servers.ts';
import { ROOT } from './root.mjs';

const SUITE = 'tests/backend/realtime/conformance';
/** A refused join takes five seconds, and some tests have several. */
const REMOTE_TIMEOUT_MS = '120000';

const given = process.env['REALTIME_URL'] ?? '';
if (given !== '' && !process.env['REALTIME_JWT_SECRET']) {
  process.stderr.write('REALTIME_URL is set, but REALTIME_JWT_SECRET is missing: the suite signs tokens with it.\n');
  process.exit(1);
}
if (given === '') process.stdout.write('REALTIME_URL is not set: testing our own server.\n');
else if (!process.env['REALTIME_DATABASE_URL']) {
  process.stdout.write(`Testing ${given}. Without REALTIME_DATABASE_URL, tests that need policies are skipped.\n`);
} else process.stdout.write(`Testing ${given}.\n`);

const args = ['run', '--allowOnly=false', '--project=node', SUITE];
// One file after the other, since a project counts messages per second over all clients.
const remotely = [`--testTimeout=${REMOTE_TIMEOUT_MS}`, `--hookTimeout=${REMOTE_TIMEOUT_MS}`, '--no-file-parallelism'];
const run = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...args, ...(given === '' ? [] : remotely)],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, [TESTED_SERVER]: 'REALTIME_URL' } },
);
process.exitCode = run.status ?? 1;
