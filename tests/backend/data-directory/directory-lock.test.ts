import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDirectory } from '../../../backend/data-directory/directory-lock.ts';
import { ROOT } from '../../../scripts/root.mjs';

let dir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'weft-dir-'));
});
afterEach(async () => {
  await killChildren();
  await rm(dir, { recursive: true, force: true });
});

/** Runs `program` in another process; resolves with its first line of output. */
async function spawnProgram(program: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [output] = await once(child.stdout, 'data');
  return String(output).trim();
}

async function killChildren(): Promise<void> {
  await Promise.all(
    children.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }),
  );
}

describe('one process per directory', () => {
  test('a locked directory cannot be locked again until it is released', async () => {
    const file = join(dir, 'lock');
    const release = lockDirectory(file);
    expect(release).not.toBeNull();
    expect(lockDirectory(file)).toBeNull();
    release?.();
    release?.();
    const again = lockDirectory(file);
    expect(again).not.toBeNull();
    again?.();
  });

  test('the lock of another process ends with that process, even by SIGKILL', async () => {
    const file = join(dir, 'lock');
    const output = await spawnProgram(`
      const { lockDirectory } = await import('./backend/data-directory/directory-lock.ts');
      globalThis.held = lockDirectory(${JSON.stringify(file)});
      console.log(held === null ? 'refused' : 'locked');
      setInterval(() => {}, 1000);
    `);
    expect(output).toBe('locked');
    expect(lockDirectory(file)).toBeNull();
    await killChildren();
    const release = lockDirectory(file);
    expect(release).not.toBeNull();
    release?.();
  });
});
