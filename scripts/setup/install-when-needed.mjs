// Installs what package-lock.json names, unless it is there already.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { nodeProgram } from './node-program.mjs';
import { ROOT, say } from '../root.mjs';
import { Stop } from './stop.mjs';

export function installWhenNeeded() {
  if (isInstalled() && nodeProgram() !== null) return;
  if (!isInstalled()) {
    say('Installing packages: a minute on first use …');
    install();
  }
  // Where npm is told to run no install scripts, the package `node` is there without its program.
  if (nodeProgram() === null) npm(['rebuild', 'node', '--ignore-scripts=false', '--foreground-scripts=false']);
  if (nodeProgram() === null) {
    throw new Stop(
      `Weft needs Node 22.22 or newer: this is ${process.version}, and npm was not allowed to install one (allow the install script of the package "node", or update Node).`,
    );
  }
}

function install() {
  const clean = npm(['ci']);
  if (clean.status === 0) return;
  // A lockfile that lacks other platforms' optional bindings is refused (EUSAGE), though nothing is missing here.
  const outcome = clean.stderr.includes('EUSAGE') ? npm(['install', '--no-save']) : clean;
  process.stderr.write(outcome.stderr);
  if (outcome.status === 0) return;
  throw new Stop('npm could not install the packages: the reason stands above.');
}

/**
 * Runs the npm that runs us. Development packages are wanted even where NODE_ENV says production.
 * @param {readonly string[]} command
 */
function npm(command) {
  const args = [...command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const program = process.env['npm_execpath'];
  /** @type {import('node:child_process').SpawnSyncOptionsWithStringEncoding} */
  const options = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', process.stderr, 'pipe'] };
  const run =
    program === undefined
      ? spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [program, ...args], options);
  if (run.error !== undefined) throw new Stop(`npm did not run: ${run.error.message}`);
  return run;
}

/** Whether node_modules holds every package of the lockfile in its version; npm keeps its own list of what it laid. */
function isInstalled() {
  const laid = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(laid)) return false;
  const has = packagesOf(laid);
  return Object.entries(packagesOf(join(ROOT, 'package-lock.json'))).every(
    ([path, wanted]) => path === '' || wanted.optional === true || has[path]?.version === wanted.version,
  );
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages ?? {};
}
