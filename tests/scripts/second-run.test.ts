// Small checkouts with tests that fail: `npm test` runs their files once more, alone, and says so.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type VitestRun, runVitest } from '../../scripts/checks/run-vitest.ts';
import { MOST_FILES, type Outcome, withSecondRun } from '../../scripts/checks/second-run.ts';
import { ROOT } from '../../scripts/root.mjs';

const failure = (file: string, name = 'breaks') => ({ file, test: name, reason: 'failed' });
const runOf = (run: Partial<VitestRun>): VitestRun => ({ passed: [], failures: [], outside: [], ...run });

describe('the second run', () => {
  let alone: string[];
  beforeEach(() => {
    alone = [];
  });
  const outcome = (first: Partial<VitestRun>, second: Partial<VitestRun>): Promise<Outcome> =>
    withSecondRun(runOf(first), (file) => {
      alone.push(file);
      return Promise.resolve(runOf(second));
    });

  test('counts each test of a file once', async () => {
    const first = { passed: ['a', 'a', 'b'], failures: [failure('a')] };
    expect(await outcome(first, { passed: ['a', 'a', 'a'] })).toEqual({
      passed: 4,
      failed: [],
      atSecondRun: [failure('a')],
    });
    expect(alone).toEqual(['a']);
  });

  test('a file that fails again has failed', async () => {
    const first = { passed: ['a'], failures: [failure('a'), failure('a', 'breaks too')] };
    expect(await outcome(first, { passed: ['a', 'a'], failures: [failure('a')] })).toEqual({
      passed: 1,
      failed: ['a > breaks (failed)', 'a > breaks too (failed)'],
      atSecondRun: [],
    });
  });

  test('a second run with an error outside of tests has failed', async () => {
    const { failed } = await outcome({ failures: [failure('a')] }, { passed: ['a'], outside: ['an error'] });
    expect(failed).toEqual(['a > breaks (failed)', 'an error']);
  });

  test('no file runs again after an error outside of tests', async () => {
    const first = { failures: [failure('a')], outside: ['an error'] };
    expect((await outcome(first, { passed: ['a'] })).failed).toEqual(['an error', 'a > breaks (failed)']);
    expect(alone).toEqual([]);
  });

  test('no file runs again when more than three have failed', async () => {
    const files = Array.from({ length: MOST_FILES + 1 }, (_, at) => `file ${at}`);
    const { failed } = await outcome({ failures: files.map((file) => failure(file)) }, {});
    expect(failed).toHaveLength(files.length);
    expect(alone).toEqual([]);
    await outcome({ failures: files.slice(1).map((file) => failure(file)) }, {});
    expect(alone).toEqual(files.slice(1));
  });
});

describe('in a checkout', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'weft-second-run-'));
    mkdirSync(join(root, 'tests'));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    write('steady', 'test("holds", () => {});');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const nameOf = (name: string) => `tests/${name}.test.js`;
  const write = (name: string, body: string) =>
    writeFileSync(
      join(root, nameOf(name)),
      `import { existsSync, writeFileSync } from 'node:fs';\nimport { expect, test } from 'vitest';\n${body}\n`,
    );
  /** Fails once: the first run leaves a file. */
  const ONCE = `test("fails once", () => {
    const ranBefore = existsSync('seen');
    writeFileSync('seen', '');
    expect(ranBefore).toBe(true);
  });`;
  const runAll = async (...names: string[]): Promise<Outcome> => {
    const task = { root, output: 'ignore' } as const;
    return withSecondRun(await runVitest({ ...task, files: names.map(nameOf) }), (file) =>
      runVitest({ ...task, files: [file], filters: [file] }),
    );
  };

  test('a test that fails once passes at the second run', async () => {
    write('shaky', `${ONCE}\ntest("also holds", () => {});`);
    expect(await runAll('steady', 'shaky')).toEqual({
      passed: 3,
      failed: [],
      atSecondRun: [failure(nameOf('shaky'), 'fails once')],
    });
  });

  test('a test that fails twice has failed', async () => {
    write('broken', 'test("fails", () => expect(1).toBe(2));');
    const { passed, failed } = await runAll('steady', 'broken');
    expect({ passed, failed }).toEqual({
      passed: 1,
      failed: [`${nameOf('broken')} > fails (failed)`],
    });
  });

  test('an error outside of tests fails at once, beside a test that would pass at the second run', async () => {
    write('shaky', ONCE);
    write('leaky', 'test("holds", () => void Promise.reject(new Error("no one waits for me")));');
    const { failed, atSecondRun } = await runAll('steady', 'shaky', 'leaky');
    expect(failed[0]).toBe('vitest saw errors outside of tests: 1');
    expect(failed).toHaveLength(2);
    expect(atSecondRun).toEqual([]);
  });

  test('a worker that crashes fails at once', async () => {
    write('crash', 'test("ends its process", () => process.kill(process.pid, "SIGKILL"));');
    const { failed, atSecondRun } = await runAll('steady', 'crash');
    expect(failed[0]).toBe('vitest saw errors outside of tests: 1');
    expect(atSecondRun).toEqual([]);
  });
});
