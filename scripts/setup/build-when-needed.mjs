// Builds dist/ unless it was built from exactly the sources that are here.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProgram } from './node-program.mjs';
import { ROOT, say } from '../root.mjs';
import { Stop } from './stop.mjs';

const SOURCES = ['index.html', 'package-lock.json', 'vite.config.ts', 'public', 'src'];
/** Inside dist, so that any other build, which empties dist, takes the claim away with it. */
const STAMP = join(ROOT, 'dist', '.vite', 'built-from');

export function buildWhenNeeded() {
  const sources = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  say('Building the app …');
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const run = spawnSync(nodeProgram() ?? 'node', [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    // Vitest sets NODE_ENV to "test": a build that took it over would be a development build without service worker.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (run.status !== 0) throw new Stop('The app could not be built: the reason stands above.');
  writeFileSync(STAMP, sources);
}

/** Of contents, not of times: a fresh clone and a switched branch have new times and maybe old contents. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesBelow)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)));
}
