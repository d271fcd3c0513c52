// Finds or installs a browser for the tests. Without one the tests fail; they are never skipped.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../root.mjs';
import { FIREFOX, HEADLESS_SHELL, findBrowser, findProgram } from './find-browser.mjs';
import { nodeProgram } from './node-program.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { SetupError } from './setup-error.mjs';

export async function ensureBrowser() {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '' && findBrowser() === null) {
    throw new SetupError(`CHROMIUM_PATH names no program: ${named}`);
  }
  const isCi = process.env['CI'] === 'true';
  const missing = [
    ...(findBrowser() === null ? ['chromium'] : []),
    // The tests of other engines run where these are installed, and CI tests Firefox.
    ...(isCi && findProgram(FIREFOX) === null ? ['firefox-esr'] : []),
    // Faster than Chromium with windows, and no test needs it.
    ...(isCi && findProgram(HEADLESS_SHELL) === null ? ['chromium-headless-shell'] : []),
  ];
  let output = '';
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    output += await showProgress(`Installing ${missing.join(' and ')} for the browser tests`, async () => {
      let printed = await run('apt-get', ['update', '-q']);
      // One by one: a release that lacks one of them still gets the others.
      for (const name of missing) {
        printed += await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name]);
      }
      return printed;
    });
  }
  if (findBrowser() !== null) return;
  const playwright = join(ROOT, 'node_modules', 'playwright-core', 'cli.js');
  output += await showProgress('Downloading Chromium for the browser tests', () =>
    run(nodeProgram() ?? 'node', [playwright, 'install', 'chromium']),
  );
  if (findBrowser() !== null) return;
  throw new SetupError(
    `${output}\nThe tests need a browser and could not get one: install Chromium or Chrome, or set CHROMIUM_PATH to its program, and run them again.`,
  );
}

/**
 * Returns the program's output. Ignores its status: what counts is whether there is a browser afterwards.
 * @param {string} program
 * @param {readonly string[]} args
 */
async function run(program, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { stdout, stderr } = await runProgram(program, args, { env });
  return stdout + stderr;
}
