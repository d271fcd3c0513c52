// `npm run test:contract`: runs the contract tests of the ports on every adapter; with SUPABASE_URL, SUPABASE_ANON_KEY
// and SUPABASE_SERVICE_ROLE_KEY, only on that project.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { TESTED_SERVER } from './checks/forget-servers.ts';
import { ROOT } from './root.mjs';

/** The tests that need a project; the others do not depend on it. */
const PROJECT_TESTS = [
  'tests/contract/supabase.contract.test.ts',
  'tests/contract/session/session-on-supabase.test.ts',
];
/** For a distant project with limits on sign-ups. */
const REMOTE_TIMEOUT_MS = '180000';

const given = process.env['SUPABASE_URL'] ?? '';
const missing = ['SUPABASE_ANON_KEY', 'SUPABASE_SERVICE_ROLE_KEY'].filter((name) => !process.env[name]);
if (given !== '' && missing.length > 0) {
  process.stderr.write(`SUPABASE_URL is set, but ${missing.join(' and ')} is missing.\n`);
  process.exit(1);
}
process.stdout.write(
  given === ''
    ? 'SUPABASE_URL is not set: testing the embedded backend, memory and a real browser.\n'
    : `Testing the project at ${given}.\n`,
);
const args =
  given === ''
    ? ['run', '--allowOnly=false', '--project=node', '--project=browser', 'tests/contract']
    : [
        ...['run', '--allowOnly=false', '--project=node', `--testTimeout=${REMOTE_TIMEOUT_MS}`],
        // One file after the other, since a project limits sign-ups and messages.
        ...[`--hookTimeout=${REMOTE_TIMEOUT_MS}`, '--no-file-parallelism', ...PROJECT_TESTS],
      ];
const run = spawnSync(process.execPath, [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, [TESTED_SERVER]: 'SUPABASE_URL' },
});
process.exitCode = run.status ?? 1;
