// Adds the native bindings of every platform to package-lock.json. npm leaves out bindings that its registry does not
// hold, and then `npm ci` refuses the lockfile everywhere. npm accepts entries without an integrity hash.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT, printToStderr } from './root.mjs';

/**
 * @typedef {{
 *   version?: string, dev?: boolean, optional?: boolean, license?: string, cpu?: string[], libc?: string[], os?: string[],
 *   engines?: Record<string, string>, optionalDependencies?: Record<string, string>,
 * }} Package
 * @typedef {{ path: string, name: string, version: string, parent: Package }} Missing
 */

const PLATFORM = /(?:^|-)(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|wasm32|win32)-([\w-]+)$/;
const EXACT = /^\d+\.\d+\.\d+$/;

/**
 * Optional dependencies with an exact version that the lockfile names but does not hold.
 * @param {Record<string, Package>} packages
 * @returns {Missing[]}
 */
export function missingBindings(packages) {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {}).flatMap(([name, version]) => {
      if (path === '' || !EXACT.test(version)) return [];
      const sibling = `${path.slice(0, path.lastIndexOf('node_modules/'))}node_modules/${name}`;
      const found = packages[`${path}/node_modules/${name}`] ?? packages[sibling] ?? packages[`node_modules/${name}`];
      return found?.version === version ? [] : [{ path: sibling, name, version, parent }];
    }),
  );
}

/**
 * @param {Missing} missing
 * @returns {Package}
 */
function entryOf({ name, version, parent }) {
  const [, os = '', rest = ''] = PLATFORM.exec(name) ?? [];
  const libc = os === 'linux' ? (/musl/.test(rest) ? ['musl'] : /gnu/.test(rest) ? ['glibc'] : null) : null;
  const cpu = os === 'wasm32' ? 'wasm32' : rest.startsWith('arm-') ? 'arm' : rest.replace(/-.*$/, '');
  return {
    version,
    cpu: [cpu],
    ...(parent.dev ? { dev: true } : {}),
    ...(libc === null ? {} : { libc }),
    ...(parent.license === undefined ? {} : { license: parent.license }),
    optional: true,
    ...(os === 'wasm32' ? {} : { os: [os] }),
    ...(parent.engines === undefined ? {} : { engines: parent.engines }),
  };
}

if (process.argv[1] === join(ROOT, 'scripts', 'complete-lockfile.mjs')) {
  const file = join(ROOT, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingBindings(lock.packages).filter(({ name }) => PLATFORM.test(name));
  for (const one of missing) lock.packages[one.path] = entryOf(one);
  const order = new Intl.Collator('en').compare;
  const paths = Object.keys(lock.packages).toSorted(order);
  lock.packages = Object.fromEntries(paths.map((path) => [path, lock.packages[path]]));
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  printToStderr(`${missing.length} missing bindings added to package-lock.json.`);
}
