// Stopping the server while all kinds of clients are connected: running requests get their answer, the other clients are
// disconnected, and the stop does not take long.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { BackendProcess } from '../../support/server/backend-process.ts';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { removeFolder, temporaryFolder } from '../../support/server/temporary-folder.ts';
import { RawConnection, lines } from './support/raw-http.ts';

const readyForm = v.object({ url: v.string(), anonKey: v.string() });

let dir: string;
beforeAll(async () => {
  dir = await temporaryFolder('stop');
});
afterAll(() => removeFolder(dir));

/** More than the connections to the database, so that some wait for one. */
const WAITING = 20;
const CONNECTIONS = 16;
const WAITING_FOR_WORKSPACES =
  "select count(*)::int as count from pg_locks where relation = 'public.workspaces'::regclass and not granted";

const isListening = (url: string) =>
  fetch(`${url}/config.json`).then(
    () => true,
    () => false,
  );

const openSockets = (url: string, key: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${key}`);
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      socket.on('error', () => {});
      return new Promise<{ closed: Promise<number> }>((resolve) => socket.once('open', () => resolve({ closed })));
    }),
  );

test('a server with 200 WebSockets and idle, slow, stalled and waiting clients stops soon and answers the waiting ones', async () => {
  const backend: TestBackend = await startTestBackend({ log: () => {} });
  const { url, anonKey, serviceRoleKey } = backend.server;
  const open = await openSockets(url, anonKey, 200);
  const idle = Array.from({ length: 50 }, () => new RawConnection(url));
  await Promise.all(
    idle.map((connection) => connection.write(lines('GET /config.json HTTP/1.1', 'Host: localhost')).answer()),
  );
  const slow = Array.from({ length: 50 }, () => new RawConnection(url).write('GET / HTTP/1.1\r\nHost: localhost\r\n'));
  const half = new RawConnection(url).write(
    `${lines('POST /rest/v1/rpc/x HTTP/1.1', 'Host: localhost', `apikey: ${serviceRoleKey}`, 'Content-Length: 100')}{`,
  );
  // Requests that wait for this lock are still running when the stop begins.
  const locked = Promise.withResolvers<void>();
  const waited = Promise.withResolvers<void>();
  const stopping = Promise.withResolvers<void>();
  const holding = backend.pg.transaction(async (tx) => {
    await tx.exec('lock table public.workspaces in access exclusive mode');
    locked.resolve();
    let count = 0;
    while (count < CONNECTIONS - 1) {
      const { rows } = await tx.query<{ count: number }>(WAITING_FOR_WORKSPACES);
      count = rows[0]?.count ?? 0;
      await delay(10);
    }
    waited.resolve();
    await stopping.promise;
  });
  await locked.promise;
  const waiting = Array.from({ length: WAITING }, () => {
    const request = lines('GET /rest/v1/workspaces?select=id HTTP/1.1', 'Host: localhost', `apikey: ${serviceRoleKey}`);
    return new RawConnection(url).write(request).answer();
  });
  // All other connections wait for the lock, and the server has accepted a request that came after all of them.
  await waited.promise;
  expect(await isListening(url)).toBe(true);
  const closed = backend.close();
  await expect.poll(() => isListening(url)).toBe(false);
  stopping.resolve();
  await closed;
  await holding;
  const answers = await Promise.all(waiting);
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('connection')}`))).toEqual(
    new Set(['200 close']),
  );
  expect(new Set(await Promise.all(open.map(({ closed }) => closed)))).toEqual(new Set([1012]));
  await Promise.all([...idle, ...slow, half].map(({ closed }) => closed));
});

test('the command with connected clients exits with 0 and says nothing about it, and its port is free at once', async () => {
  const start = () => new BackendProcess(['backend', '--port', '0', '--json', '--data', join(dir, 'data')]);
  const command = start();
  const { url, anonKey } = v.parse(readyForm, JSON.parse(await command.line()));
  const open = await openSockets(url, anonKey, 50);
  expect(await command.end('SIGTERM')).toBe(0);
  expect(command.stderr).toBe(`Made a new database in ${join(dir, 'data')}.\n`);
  expect(new Set(await Promise.all(open.map(({ closed }) => closed)))).toEqual(new Set([1012]));
  await expect(fetch(url)).rejects.toThrow();
});
