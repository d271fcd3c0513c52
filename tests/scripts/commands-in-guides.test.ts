// The guides tell people to run our own commands, or well-known packages of others.
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const GUIDES = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', ...readdirSync('docs').map((name) => `docs/${name}`)];
const packageJson = v.object({
  scripts: v.record(v.string(), v.string()),
  devDependencies: v.record(v.string(), v.string()),
});
const { scripts, devDependencies } = v.parse(packageJson, JSON.parse(readFileSync('package.json', 'utf8')));

/** Well-known packages that a guide names as someone else's. */
const OTHERS = ['esbuild', 'supabase'];

const found = (pattern: RegExp): readonly string[] =>
  GUIDES.filter((guide) => guide.endsWith('.md')).flatMap((guide) =>
    [...readFileSync(guide, 'utf8').matchAll(pattern)].flatMap(([, name]) => name ?? []),
  );

test('npx runs packages of this checkout, and of others only what is known: `weft` on npm is another project’s', () => {
  const names = found(/\bnpx (?:-\S+ )*([\w@/-]+)/gu);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !(name in devDependencies) && !OTHERS.includes(name))).toEqual([]);
});

test('npm runs scripts that exist', () => {
  const names = found(/\bnpm run (?:-\S+ )*([\w:-]+)/gu);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test('the checkout cannot be packed: Node runs no TypeScript in node_modules', async () => {
  const packed = promisify(execFile)('npm', ['pack', '--dry-run', '--offline']);
  await expect(packed).rejects.toMatchObject({ stderr: expect.stringContaining('cannot be packed') });
});
