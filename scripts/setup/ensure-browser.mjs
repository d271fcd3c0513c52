// Finds a browser for the tests or gets one; without one they fail, they are never skipped.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { findBrowser } from './find-browser.mjs';
import { nodeProgram } from './node-program.mjs';
import { ROOT, say } from '../root.mjs';
import { Stop } from './stop.mjs';

export function ensureBrowser() {
  if (findBrowser() !== null) return;
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') throw new Stop(`CHROMIUM_PATH names no program: ${named}`);
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version')) {
    say('Installing Chromium for the browser tests …');
    run('apt-get', ['update', '-q']);
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium']);
  }
  if (findBrowser() !== null) return;
  say('Downloading Chromium for the browser tests …');
  const playwright = join(ROOT, 'node_modules', 'playwright-core', 'cli.js');
  run(nodeProgram() ?? 'node', [playwright, 'install', 'chromium']);
  if (findBrowser() !== null) return;
  throw new Stop(
    'The tests need a browser and could not get one: install Chromium or Chrome, or set CHROMIUM_PATH to its program, and run them again.',
  );
}

/**
 * Its failure is told by what is missing afterwards.
 * @param {string} program
 * @param {readonly string[]} args
 */
function run(program, args) {
  spawnSync(program, args, {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
