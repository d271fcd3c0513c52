// `npm run test:browsers`: the tests of tests/browsers in full length, in Chromium, Firefox and WebKit, and what happens to the
// words that someone types into a block while others change it. `npm test` runs a short form in the engines that the machine has.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from './root.mjs';
import { FIREFOX, findProgram } from './setup/find-browser.mjs';

const TYPING_WHILE_OTHERS_CHANGE = 'tests/editor/recovered-text/typing-while-others-change.browser.test.ts';

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

/** Runs vitest and notes a failure. */
function runTests(env: Readonly<Record<string, string>>, ...args: readonly string[]): void {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--allowOnly=false', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exitCode = status ?? 1;
}

runTests({ WEFT_BROWSERS: 'all' }, '--project=e2e', 'tests/browsers');
// `npm test` runs this file in Chromium. Others need real clicks and keys, which vitest cannot send to these engines.
for (const engine of ['firefox', 'webkit'])
  runTests({ WEFT_ENGINE: engine }, '--project=browser*', TYPING_WHILE_OTHERS_CHANGE);
