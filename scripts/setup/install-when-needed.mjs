// Installs the packages of package-lock.json, unless node_modules already holds them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../root.mjs';
import { nodeProgram } from './node-program.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { SetupError } from './setup-error.mjs';

export async function installWhenNeeded() {
  if (isInstalled() && nodeProgram() !== null) return;
  await showProgress('Installing packages', async () => {
    if (!isInstalled()) await install();
    // When npm is configured to run no install scripts, the package `node` arrives without its program.
    if (nodeProgram() === null) await npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts=false']);
  });
  if (nodeProgram() === null) {
    throw new SetupError(
      `Weft needs Node 22.22 or newer: this is ${process.version}, and npm was not allowed to install one (allow the install script of the package "node", or update Node).`,
    );
  }
}

async function install() {
  const clean = await npm(['ci']);
  if (clean.status === 0) return;
  // npm refuses (EUSAGE) a lockfile that lacks other platforms' optional bindings, although this platform needs none of them.
  const outcome = clean.stderr.includes('EUSAGE') ? await npm(['install', '--no-save']) : clean;
  if (outcome.status === 0) return;
  throw new SetupError(`npm could not install the packages:\n${outcome.stderr.trim()}`);
}

/**
 * Runs the npm that started this script. Installs development packages even where NODE_ENV is "production".
 * @param {readonly string[]} command
 */
function npm(command) {
  const args = [...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const program = process.env['npm_execpath'];
  return program === undefined
    ? runProgram('npm', args, { shell: process.platform === 'win32' })
    : runProgram(process.execPath, [program, ...args]);
}

/**
 * Whether node_modules holds all but optional packages of the lockfile in its versions, by the list that npm keeps
 * there.
 */
function isInstalled() {
  const list = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = packagesOf(list);
  return Object.entries(packagesOf(join(ROOT, 'package-lock.json'))).every(
    ([path, wanted]) => path === '' || wanted.optional === true || installed[path]?.version === wanted.version,
  );
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages ?? {};
}
