// Builds dist/, unless it was built from exactly the present sources.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../root.mjs';
import { compressFiles } from './compress-files.mjs';
import { nodeProgram } from './node-program.mjs';
import { showProgress } from './progress.mjs';
import { runProgram } from './run-program.mjs';
import { SetupError } from './setup-error.mjs';

const SOURCES = [
  'index.html',
  'package-lock.json',
  'vite.config.ts',
  'public',
  'src',
  'scripts/build',
  'scripts/setup/build-when-needed.mjs',
  'scripts/setup/compress-files.mjs',
];
const DIST = join(ROOT, 'dist');
/** Lies inside dist, so that any other build, which empties dist, removes it. */
const STAMP = join(DIST, '.vite', 'built-from');

export async function buildWhenNeeded() {
  const sources = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const run = await showProgress('Building the app', async () => {
    const built = await runProgram(nodeProgram() ?? 'node', [vite, 'build', '--logLevel', 'warn'], {
      // Vitest sets NODE_ENV to "test", with which Vite would make a development build without a service worker.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (built.status === 0) await compressFiles(DIST);
    return built;
  });
  process.stderr.write(run.stdout + run.stderr);
  if (run.status !== 0) throw new SetupError('The app could not be built; the lines above say why.');
  writeFileSync(STAMP, sources);
}

/** Hashes contents, not times: a fresh clone or a switched branch has new times and maybe old contents. */
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
