// The folder for temporary files of a test run: in memory where there is room, gone with the run, also after a kill.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/root.mjs';

const SCRIPT = `
  const { statSync } = await import('node:fs');
  const { moveTemporaryFiles } = await import(process.argv[1]);
  moveTemporaryFiles();
  const folder = process.env.TMPDIR ?? null;
  process.stdout.write(JSON.stringify([process.pid, folder, folder === null ? null : statSync(folder).mode & 0o7777]));
`;

/** Runs it in a process of its own: the process id, the folder it chose, and the folder's mode. */
function used(given: Record<string, string>): readonly [pid: number, folder: string | null, mode: number | null] {
  const { TMPDIR: _, ...env } = process.env;
  const module = join(ROOT, 'scripts/checks/memory-folder.ts');
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT, module], {
    env: { ...env, ...given },
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}

test('a run has a folder of its own for all users, which ends with it', () => {
  const [pid, folder, mode] = used({});
  expect([null, `/dev/shm/weft-tests-${pid}`]).toContain(folder);
  expect([null, 0o1777]).toContain(mode);
  expect(existsSync(`/dev/shm/weft-tests-${pid}`)).toBe(false);
});

test('the folder of a run that was killed goes at the next, that of a run under way stays', () => {
  const [ended, folder] = used({});
  if (folder === null) return;
  const folders = [ended, process.pid].map((pid) => `/dev/shm/weft-tests-${pid}`);
  onTestFinished(() => folders.forEach((one) => rmSync(one, { recursive: true, force: true })));
  for (const one of folders) mkdirSync(join(one, 'files'), { recursive: true });
  used({});
  expect(folders.map((one) => existsSync(one))).toEqual([false, true]);
});

test('a folder that someone has chosen stays', () => {
  const [, folder] = used({ TMPDIR: ROOT });
  expect(folder).toBe(ROOT);
});
