import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingBindings } from '../../scripts/complete-lockfile.mjs';
import { ROOT } from '../../scripts/root.mjs';

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

test('the lockfile holds every platform’s bindings (else: node scripts/complete-lockfile.mjs)', () => {
  const { packages } = read('package-lock.json');
  expect(Object.keys(packages).length).toBeGreaterThan(400);
  expect(missingBindings(packages).map(({ path }) => path)).toEqual([]);
});

test('a binding that is missing in the lockfile is reported', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-darwin-arm64': '1.0.0', 'a-linux-x64': '1.0.0' } },
    'node_modules/a-linux-x64': { version: '1.0.0' },
  };
  expect(missingBindings(packages).map(({ path }) => path)).toEqual(['node_modules/a-darwin-arm64']);
});

test('versions are pinned exactly, and no package but node runs an install script', () => {
  const { dependencies, devDependencies } = read('package.json');
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(?:npm:[@\w/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(version)),
  );
  expect(loose).toEqual([]);
  const { packages } = read('package-lock.json');
  const scripts = Object.keys(packages).filter((path) => packages[path].hasInstallScript && !packages[path].optional);
  expect(scripts).toEqual(['node_modules/node']);
});
