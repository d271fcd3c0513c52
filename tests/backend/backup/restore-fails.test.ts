// Restores and backups that cannot be completed: stopped by a signal, or without room. Each says so in a sentence, ends with 1
// and leaves nothing behind.
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { TestBackend } from '../../support/server/backend.ts';
import { backupCommand, readEntries, writeEntries } from '../../support/server/backup-file.ts';
import { MOUNTS } from '../../support/server/mounts.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

const COMMAND = join(ROOT, 'backend/backup-cli.ts');

let dir: string;
let file: string;
let data: string;
beforeAll(async () => {
  dir = await temporaryFolder('restore-fails');
  [file, data] = [join(dir, 'weft.tar'), join(dir, 'data')];
  const weft = await TestBackend.start({ dir: data });
  await weft.pg.exec(`insert into storage.buckets (id, name, public) values ('files', 'files', false)`);
  await weft
    .serviceClient()
    .storage.from('files')
    .upload('large', Buffer.alloc(24 * 1024 * 1024));
  await weft.close();
  const said = await backupCommand('backup', file, '--data', data);
  if (!said.startsWith('0: ')) throw new Error(said);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const place = () => join(dir, 'below', 'restored');
let before: readonly string[];
beforeEach(async () => {
  before = await paths();
});

/** What each start of PostgreSQL writes is not compared. */
async function paths(): Promise<readonly string[]> {
  const all = await readdir(dir, { recursive: true });
  return all.filter((path) => !path.startsWith('data/')).toSorted();
}

const start = (...args: readonly string[]) =>
  spawn(process.execPath, [COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });

/** Waits until `isThere`, then sends each of `signals` to the command and resolves with its exit code and what it says. */
async function stopped(
  command: ChildProcessByStdio<null, Readable, Readable>,
  isThere: () => Promise<boolean>,
  ...signals: readonly NodeJS.Signals[]
): Promise<string> {
  const said = Promise.all([command.stdout, command.stderr].map((stream) => text(stream)));
  const ended = once(command, 'close');
  while (!(await isThere())) {
    if (command.exitCode !== null) throw new Error(`It ended too early: ${(await said).join('')}`);
    await delay(5);
  }
  for (const signal of signals) command.kill(signal);
  const [code] = await ended;
  return `${code}: ${(await said).join('').trim()}`;
}

const exists = async (within: string, part: RegExp): Promise<boolean> =>
  (await readdir(within, { recursive: true }).catch(() => [])).some((path) => part.test(path));

test.each<[string, RegExp, NodeJS.Signals[]]>([
  ['while it reads the backup', /restoring-[^/]*$/, ['SIGTERM']],
  ['while it makes the database', /postgres\.new-/, ['SIGINT', 'SIGINT']],
  ['while it starts the database', /data\/postgres\/postmaster\.pid$/, ['SIGTERM', 'SIGINT']],
])('a restore that is stopped %s', async (_, sign, signals) => {
  const said = await stopped(
    start('restore', file, '--data', place()),
    () => exists(join(dir, 'below'), sign),
    ...signals,
  );
  expect(said).toBe('1: Interrupted: nothing was written.');
  expect(await paths()).toEqual(before);
});

test('a backup that is stopped', async () => {
  const command = start('backup', join(dir, 'other.tar'), '--data', data);
  // It opens the database before it writes.
  const said = await stopped(command, () => exists(join(data, 'postgres'), /postmaster\.pid$/), 'SIGINT');
  expect(said).toBe('1: Interrupted: nothing was written.');
  expect(await paths()).toEqual(before);
});

test('a backup of a running Weft that is stopped', async () => {
  const weft = await TestBackend.start({ dir: data });
  try {
    const command = start('backup', join(dir, 'other.tar'), '--data', data);
    const said = await stopped(command, () => exists(data, /\.backup-/), 'SIGTERM');
    expect(said).toBe('1: Interrupted: nothing was written.');
    await expect.poll(() => exists(data, /\.backup-/)).toBe(false);
  } finally {
    await weft.close();
  }
  expect(await paths()).toEqual(before);
});

describe.each(MOUNTS)('without room on the disk (%s)', () => {
  /** Runs the command with a disk of this size at `small`, then lists what is on that disk. */
  function onSmallDisk(size: string, ...args: readonly string[]): string {
    const small = join(dir, 'small');
    const script = `mount -t tmpfs -o size=${size},mode=711 tmpfs "${small}"; "$@" 2>&1; echo "ended with $?"; ls -A "${small}"`;
    const command = ['sh', '-c', script, 'sh', process.execPath, COMMAND, ...args];
    return execFileSync('unshare', ['--mount', ...command], { encoding: 'utf8' });
  }

  beforeEach(async () => {
    await mkdir(join(dir, 'small'), { recursive: true });
    before = await paths();
  });

  test('a restore cannot even read the backup', () => {
    expect(onSmallDisk('8m', 'restore', file, '--data', join(dir, 'small', 'weft'))).toBe(
      `The disk of ${join(dir, 'small')} is full: ${file} is not restored. Make room.\nended with 1\n`,
    );
  });

  test('a restore has no room for a database', () => {
    expect(onSmallDisk('60m', 'restore', file, '--data', join(dir, 'small', 'weft'))).toMatch(
      /^The disk of .*small\/weft is full: \d+ MB are free, and Weft needs 160 MB to start\. Make room\.\nended with 1\n$/,
    );
  });

  test('a restore has no room for the rows', async () => {
    // 100 MB that do not shrink on the disk, and as much for the write-ahead log. What is left after the start has less room.
    const rows = Array.from({ length: 400 }, (_, at) => {
      const bytes = crypto.getRandomValues(new Uint8Array(32 * 1024));
      const hex = Buffer.concat(Array.from({ length: 8 }, () => bytes)).toString('hex');
      return `insert into "public"."document_snapshots" ("document_id", "seq", "state", "sha256") overriding system value values ('${crypto.randomUUID()}','${at}',E'\\\\x${hex}','x');`;
    });
    const entries = (await readEntries(file)).map((entry) =>
      entry.name === 'data.sql' ? { ...entry, content: `${String(entry.content)}${rows.join('\n')}\n` } : entry,
    );
    const large = await writeEntries(join(dir, 'large.tar'), entries);
    const said = onSmallDisk('470m', 'restore', large, '--data', join(dir, 'small', 'weft'));
    // It can be PostgreSQL itself that ends.
    expect(said.replace('database: the connection was lost\n', '')).toBe(
      `The disk of ${join(dir, 'small')} is full: ${large} is not restored. Make room.\nended with 1\n`,
    );
    await rm(large);
    // It fills 470 MB.
  }, 180_000);

  test('a running Weft has no room for a backup', () => {
    const small = join(dir, 'small');
    const script = `
      mount -t tmpfs -o size=200m,mode=711 tmpfs "${small}"
      cp -a "${data}" "${small}/data"
      "$1" "${join(ROOT, 'backend/cli.ts')}" backend --port 0 --data "${small}/data" > /dev/null 2>&1 &
      while ! test -s "${small}/data/running.json"; do sleep 0.05; done
      head -c 200m /dev/zero > "${small}/full" 2> /dev/null
      "$1" "${COMMAND}" backup "${join(dir, 'other.tar')}" --data "${small}/data" 2>&1
      echo "ended with $?"
      ls -A "${small}/data" | grep backup
      kill $!
      wait`;
    expect(execFileSync('unshare', ['--mount', 'sh', '-c', script, 'sh', process.execPath], { encoding: 'utf8' })).toBe(
      `The Weft on ${join(small, 'data')} made no backup: its disk is full.\nended with 1\n`,
    );
  });

  test('a backup', () => {
    const target = join(dir, 'small', 'weft.tar');
    expect(onSmallDisk('8m', 'backup', target, '--data', data)).toBe(
      `The disk of ${join(dir, 'small')} is full: there is no room for a backup.\nended with 1\n`,
    );
  });
});
