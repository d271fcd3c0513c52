// Starting PostgreSQL again and stopping it, with a script in its place, so that the test decides the order of events.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PostgresServer } from '../../../backend/postgres/postgres-server.ts';
import { isAlive } from '../../../backend/postgres/server-left-behind.ts';
import { removeFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';

/** Longer than every pause before a first attempt to start again. */
const A_WHILE_MS = 600;

let folder: string;
let server: PostgresServer;
beforeEach(async () => {
  folder = await temporaryFolder('server');
});
afterEach(async () => {
  await server.stop();
  for (const pid of await startedPids()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await removeFolder(folder);
});

/** Starts a script that says that it is ready and then sleeps; while the file `broken` exists, it fails instead. */
async function start(log: (line: string) => void): Promise<void> {
  const clusterDir = join(folder, 'postgres');
  await mkdir(clusterDir);
  const postgres = join(folder, 'fake-postgres');
  const script = `#!/bin/sh
    echo $$ >> '${folder}/pids'
    if [ -e '${folder}/broken' ]; then echo '[1] FATAL:  it is broken' >&2; exit 1; fi
    echo '[1] LOG:  database system is ready to accept connections' >&2
    exec sleep 1000
  `;
  await writeFile(postgres, script, { mode: 0o755 });
  const binaries = { initdb: '/bin/false', postgres };
  server = await PostgresServer.start({ clusterDir, user: null, binaries, logFile: null, isDurable: false, log });
}

async function startedPids(): Promise<readonly number[]> {
  const text = await readFile(join(folder, 'pids'), 'utf8');
  return text.trim().split('\n').map(Number);
}

async function kill(): Promise<void> {
  process.kill((await startedPids()).at(-1) ?? 0, 'SIGKILL');
}

test('a PostgreSQL that is killed is started again', async () => {
  const lines: string[] = [];
  await start((line) => lines.push(line));
  await kill();
  await expect
    .poll(() => lines)
    .toEqual([
      'PostgreSQL ended: it ended with SIGKILL. It is started again; what was acknowledged is safe.',
      'PostgreSQL runs again.',
    ]);
  expect((await startedPids()).map(isAlive)).toEqual([false, true]);
  await server.stop();
  expect((await startedPids()).map(isAlive)).toEqual([false, false]);
});

test('a stop while PostgreSQL is being started again wins', async () => {
  const lines: string[] = [];
  const stopped = Promise.withResolvers<void>();
  await start((line) => {
    lines.push(line);
    // After the new start has begun, before it has started a process: it reads the pid file first.
    if (line.startsWith('PostgreSQL ended')) queueMicrotask(() => stopped.resolve(server.stop()));
  });
  await kill();
  await stopped.promise;
  await delay(A_WHILE_MS);
  expect((await startedPids()).map(isAlive)).toEqual([false]);
  expect(lines).toHaveLength(1);
});

test('a pause between two attempts to start again ends them, and the next start runs one server', async () => {
  const resumed = Promise.withResolvers<void>();
  const resume = async () => {
    await server.pause();
    await rm(join(folder, 'broken'));
    await server.start();
  };
  await start((line) => {
    if (line.startsWith('PostgreSQL does not start')) resumed.resolve(resume());
  });
  await writeFile(join(folder, 'broken'), '');
  await kill();
  await resumed.promise;
  await delay(A_WHILE_MS);
  expect((await startedPids()).map(isAlive)).toEqual([false, false, true]);
});
