import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDirectory } from '../../../backend/engine/directory-lock.ts';
import { createDatabaseOnce } from '../../../backend/engine/first-start.ts';
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

/** Another process that runs `program`; what it says first. */
async function spawnProgram(program: string): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [said] = await once(child.stdout, 'data');
  return String(said).trim();
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

/** Creates a database in another process and kills that as soon as the first files stand in `database`. */
async function killWhileCreating(program: string, database: string): Promise<void> {
  void spawnProgram(program);
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const entries = await readdir(database).catch(() => []);
    if (entries.length > 0) return killChildren();
    await delay(1);
  }
  throw new Error('nothing was created');
}

const openAndAsk = async (database: string): Promise<unknown> => {
  const pg = await PGlite.create(database);
  const { rows } = await pg.query('select 1 as one');
  await pg.close();
  return rows;
};

describe('one process per directory', () => {
  test('gap: PGlite lets a second one in', async () => {
    const database = join(dir, 'postgres');
    await createDatabaseOnce(database);
    // In processes of their own: what becomes of a database that two have open may be anything, an endless loop included.
    const program = `
      const { PGlite } = await import('@electric-sql/pglite');
      const pg = await PGlite.create(${JSON.stringify(database)});
      console.log(JSON.stringify((await pg.query('select 1 as one')).rows));
      setInterval(() => {}, 1000);
    `;
    expect(await spawnProgram(program)).toBe('[{"one":1}]');
    expect(await spawnProgram(program)).toBe('[{"one":1}]');
  });

  test('a locked directory is refused to this process and to others, until it is released', async () => {
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

  test('the lock of another process holds while it lives and ends with it, however it dies', async () => {
    const file = join(dir, 'lock');
    const said = await spawnProgram(`
      const { lockDirectory } = await import('./backend/engine/directory-lock.ts');
      globalThis.held = lockDirectory(${JSON.stringify(file)});
      console.log(held === null ? 'refused' : 'locked');
      setInterval(() => {}, 1000);
    `);
    expect(said).toBe('locked');
    expect(lockDirectory(file)).toBeNull();
    await killChildren();
    const release = lockDirectory(file);
    expect(release).not.toBeNull();
    release?.();
  });
});

describe('a first start that is killed', () => {
  test('gap: PGlite cannot open what it left', async () => {
    const database = join(dir, 'postgres');
    const program = `
      const { PGlite } = await import('@electric-sql/pglite');
      await PGlite.create(${JSON.stringify(database)});
      console.log('made');
    `;
    await mkdir(database, { recursive: true });
    await killWhileCreating(program, database);
    await expect(openAndAsk(database)).rejects.toThrow();
  });

  test('leaves nothing that stands in the way of the next', async () => {
    const database = join(dir, 'postgres');
    const program = `
      const { createDatabaseOnce } = await import('./backend/engine/first-start.ts');
      await createDatabaseOnce(${JSON.stringify(database)});
      console.log('made');
    `;
    await killWhileCreating(program, `${database}.new`);
    await createDatabaseOnce(database);
    expect(await openAndAsk(database)).toEqual([{ one: 1 }]);
  });
});
