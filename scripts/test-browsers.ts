// `npm run test:browsers`: the tests of tests/browsers in full length, in Chromium, Firefox and WebKit. `npm test` runs their
// short form in the engines that the machine has.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from './root.mjs';
import { FIREFOX, findProgram } from './setup/find-browser.mjs';

/** Debian's packages of the programs that the tests start. */
const NEEDED = [
  { names: FIREFOX, packages: 'firefox-esr' },
  { names: ['WebKitWebDriver'], packages: 'webkit2gtk-driver' },
  { names: ['Xvfb'], packages: 'xvfb' },
];

const missing = NEEDED.filter(({ names }) => findProgram(names) === null).map(({ packages }) => packages);
if (missing.length > 0) {
  process.stderr.write(`Not all browsers are installed. On Debian: apt-get install ${missing.join(' ')}\n`);
  process.exit(1);
}
const run = spawnSync(
  process.execPath,
  [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--allowOnly=false', '--project=e2e', 'tests/browsers'],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, WEFT_BROWSERS: 'all' } },
);
process.exitCode = run.status ?? 1;
