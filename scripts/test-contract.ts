// `npm run test:contract`: what the ports promise, tried on every adapter; with SUPABASE_URL, SUPABASE_ANON_KEY and
// SUPABASE_SERVICE_ROLE_KEY on that project alone.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from './root.mjs';

/** Those that need a project. The others say nothing about it. */
const ON_A_PROJECT = ['tests/contract/supabase.contract.test.ts', 'tests/contract/session/session-on-supabase.test.ts'];
/** Across an ocean, with limits on sign-ups. */
const REMOTE_TIMEOUT_MS = '180000';

const given = process.env['SUPABASE_URL'] ?? '';
const missing = ['SUPABASE_ANON_KEY', 'SUPABASE_SERVICE_ROLE_KEY'].filter((name) => !process.env[name]);
if (given !== '' && missing.length > 0) {
  process.stderr.write(`SUPABASE_URL is set, ${missing.join(' and ')} not.\n`);
  process.exit(1);
}
process.stdout.write(
  given === ''
    ? 'SUPABASE_URL is not set: the embedded backend is started for it, beside memory and a real browser.\n'
    : `Against the project at ${given}.\n`,
);
const args =
  given === ''
    ? ['run', '--allowOnly=false', '--project=node', '--project=browser', 'tests/contract']
    : [
        ...['run', '--allowOnly=false', '--project=node', `--testTimeout=${REMOTE_TIMEOUT_MS}`],
        // One file after the other: sign-ups and messages of a project are counted.
        ...[`--hookTimeout=${REMOTE_TIMEOUT_MS}`, '--no-file-parallelism', ...ON_A_PROJECT],
      ];
const run = spawnSync(process.execPath, [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
