// `npm run attack`: runs the attacks of tests/attack, and the kills, against backends of their own, in full length.
// With names, runs only the files whose names begin with one of them; the kills are "kills".
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from './root.mjs';

/** Killing processes is an attack, too. The test is among those of PostgreSQL, whose processes it has to know. */
const KILLS = 'tests/backend/postgres/kills.test.ts';

const names = process.argv.slice(2);
const files =
  names.length === 0
    ? ['tests/attack/', KILLS]
    : names.map((name) => (name === 'kills' ? KILLS : `tests/attack/${name}`));
// One file after the other: some measure how long others wait.
const args = ['run', '--allowOnly=false', '--no-file-parallelism', ...files];
const run = spawnSync(process.execPath, [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...args], {
  cwd: ROOT,
  stdio: 'inherit',
  // React's production build, as people have it: the checks of its development build took half of the measured time.
  env: { ...process.env, NODE_ENV: 'production', WEFT_ATTACK: '1' },
});
process.exitCode = run.status ?? 1;
