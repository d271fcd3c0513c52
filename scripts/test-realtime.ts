// `npm run test:realtime`: the conformance suite of Realtime on our server, or on the one REALTIME_URL names (README).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from './root.mjs';

const SUITE = 'tests/backend/realtime/conformance';
/** A refused join takes five seconds, and some tests have several. */
const REMOTE_TIMEOUT_MS = '120000';

const given = process.env['REALTIME_URL'] ?? '';
if (given !== '' && !process.env['REALTIME_JWT_SECRET']) {
  process.stderr.write('REALTIME_URL is set, REALTIME_JWT_SECRET not: the suite signs the tokens of its people.\n');
  process.exit(1);
}
if (given === '') process.stdout.write('REALTIME_URL is not set: on our own server.\n');
else if (!process.env['REALTIME_DATABASE_URL']) {
  process.stdout.write(`Against ${given}; without REALTIME_DATABASE_URL, what needs tables or policies is not run.\n`);
} else process.stdout.write(`Against ${given}.\n`);

const args = ['run', '--allowOnly=false', '--project=node', SUITE];
// One file after the other: messages per second are counted for all of a project.
const remotely = [`--testTimeout=${REMOTE_TIMEOUT_MS}`, `--hookTimeout=${REMOTE_TIMEOUT_MS}`, '--no-file-parallelism'];
const run = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...args, ...(given === '' ? [] : remotely)],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = run.status ?? 1;
