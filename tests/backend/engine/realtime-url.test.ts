// REALTIME_URL: a separate Realtime server on the backend's database. Here it is our own, on another port, under the paths
// of Supabase's server.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type SupabaseClient, createClient } from '@supabase/supabase-js';
import { SignJWT, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type PostgresEngine, openPostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import { type RealtimeMount, mountRealtime } from '../../../backend/realtime/mount-realtime.ts';
import { type RunningServer, startServer } from '../../../backend/http/server.ts';
import { copyDatabase, dropDatabase, emptyDatabase } from '../../support/database/databases.ts';

const JWT_SECRET = 'a-secret-that-two-services-share-32-characters';

let databaseUrl: string;
let engine: PostgresEngine;
let upstream: Server;
let realtime: RealtimeMount;
let backend: RunningServer;
/** Paths of the requests that the Realtime server got. */
const requestedPaths: string[] = [];
const clients: SupabaseClient[] = [];

beforeAll(async () => {
  databaseUrl = await copyDatabase('backend');
  engine = await openPostgresEngine({ url: databaseUrl, isExclusive: false });
  upstream = createServer();
  // Maps the paths of Supabase's server to those of our Realtime.
  const rename = (request: IncomingMessage) => {
    requestedPaths.push(request.url ?? '');
    request.url = (request.url ?? '').replace(/^\/socket/, '/realtime/v1').replace(/^\/api/, '/realtime/v1/api');
  };
  upstream.on('upgrade', rename);
  realtime = mountRealtime({
    server: upstream,
    pg: engine,
    jwtSecret: JWT_SECRET,
    // An older server does not know `sb_` keys.
    anonKey: 'none',
    serviceRoleKey: 'none',
    options: { connectErrorDelayMs: 1, channelErrorDelayMs: 1, log: () => {} },
  });
  upstream.on('request', (request, response) => {
    rename(request);
    void answer(request, response);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const address = upstream.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  backend = await startServer({
    port: 0,
    host: '127.0.0.1',
    dir: null,
    databaseUrl,
    realtimeUrl: `http://127.0.0.1:${address.port}`,
    jwtSecret: JWT_SECRET,
  });
});
afterAll(async () => {
  for (const client of clients) await client.realtime.disconnect();
  await backend.close();
  await realtime.close();
  upstream.closeAllConnections();
  upstream.close();
  await engine.close();
  await dropDatabase(databaseUrl);
});

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await buffer(incoming);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === 'string') headers.set(name, value);
  const response = await realtime.fetch(
    new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers,
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

function clientOf(key: string): SupabaseClient {
  const client = createClient(backend.url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
  clients.push(client);
  return client;
}

/** The message that arrives on a public topic after `send`. */
async function receivedAfter(client: SupabaseClient, topic: string, send: () => Promise<unknown>): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  client
    .channel(topic)
    .on('broadcast', { event: 'message' }, ({ payload }) => resolve(payload))
    .subscribe((status, error) => {
      if (status === 'SUBSCRIBED') send().catch(reject);
      else if (status !== 'CLOSED') reject(error ?? new Error(status));
    });
  return promise;
}

test('clients get API keys that both servers accept', async () => {
  expect(decodeJwt(backend.anonKey)).toMatchObject({ role: 'anon' });
  expect(decodeJwt(backend.serviceRoleKey)).toMatchObject({ role: 'service_role' });
  const config = await (await fetch(`${backend.url}/config.json`)).json();
  expect(config).toMatchObject({ anonKey: backend.anonKey });
});

describe('WebSockets', () => {
  test('are forwarded, and receive broadcasts from the database', async () => {
    const send = () => engine.query(`select realtime.send('{"text":"from the database"}', 'message', 'room', false)`);
    expect(await receivedAfter(clientOf(backend.anonKey), 'room', send)).toMatchObject({ text: 'from the database' });
    expect(requestedPaths.some((path) => path.startsWith('/socket/websocket?'))).toBe(true);
  });

  test('forward the token of a user who signed in at the backend', async () => {
    const client = clientOf(backend.anonKey);
    const { error } = await client.auth.signUp({ email: 'somebody@example.com', password: 'correct horse battery' });
    expect(error).toBeNull();
    await client.realtime.setAuth();
    const send = () => engine.query(`select realtime.send('{"n":1}', 'message', 'room2', false)`);
    expect(await receivedAfter(client, 'room2', send)).toMatchObject({ n: 1 });
  });

  test('are refused with the status and body of the Realtime server', async () => {
    const socket = new WebSocket(
      `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=nonsense&vsn=2.0.0`,
    );
    const [request, refusal] = await once(socket, 'unexpected-response');
    expect(refusal.statusCode).toBe(401);
    request.destroy();
  });
});

test('broadcasts over HTTP are forwarded to /api', async () => {
  const client = clientOf(backend.serviceRoleKey);
  const post = async () => {
    const { status } = await fetch(`${backend.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: backend.serviceRoleKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ topic: 'room3', event: 'message', payload: { by: 'http' } }] }),
    });
    expect(status).toBe(202);
  };
  expect(await receivedAfter(client, 'room3', post)).toMatchObject({ by: 'http' });
  expect(requestedPaths).toContain('/api/broadcast');
});

describe('keys', () => {
  const sign = (role: string, secret = JWT_SECRET) =>
    new SignJWT({ role })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret));
  const status = async (key: string, path = '/rest/v1/workspaces?select=id') =>
    (await fetch(`${backend.url}${path}`, { headers: { apikey: key, authorization: `Bearer ${key}` } })).status;

  test('may be JWTs of anon and service_role, or sb_ keys', async () => {
    const { anonKey, serviceRoleKey } = backend.database.keys;
    expect(await status(await sign('service_role'))).toBe(200);
    expect(await status(serviceRoleKey)).toBe(200);
    expect(await status(await sign('service_role'), '/storage/v1/bucket')).toBe(200);
    for (const key of [await sign('anon'), anonKey]) {
      expect((await clientOf(key).auth.signInAnonymously()).error).toBeNull();
    }
    const { data, error } = await clientOf(await sign('service_role'))
      .from('workspaces')
      .select('id');
    expect({ data, error }).toEqual({ data: [], error: null });
  });

  test('signed with another secret, or of a user, are refused', async () => {
    expect(await status(await sign('service_role', 'x'.repeat(40)))).toBe(401);
    expect(await status(await sign('authenticated'))).toBe(401);
    const { error } = await clientOf(await sign('anon')).auth.admin.deleteUser(randomUUID());
    expect(error).toMatchObject({ status: 403, code: 'not_admin' });
  });
});

test('the backend leaves the schema realtime unchanged', async () => {
  const { rows } = await engine.query<{ oid: number }>(`select 'realtime.messages'::regclass::oid::int8 as oid`);
  await engine.exec('drop function realtime.send_binary(bytea, text, text, boolean)');
  expect(rows[0]?.oid).toBeGreaterThan(0);
  const before = await functionsOf(engine);
  await backend.close();
  const again = await startServer({
    port: 0,
    host: '127.0.0.1',
    dir: null,
    databaseUrl,
    realtimeUrl: 'http://127.0.0.1:1',
    jwtSecret: JWT_SECRET,
  });
  try {
    expect(await functionsOf(engine)).toEqual(before);
    // The Realtime server is down: requests to it fail, nothing else does.
    const headers = { apikey: again.serviceRoleKey };
    expect((await fetch(`${again.url}/realtime/v1/api/ping`, { headers })).status).toBe(503);
    expect((await fetch(`${again.url}/rest/v1/workspaces`, { headers })).status).toBe(200);
  } finally {
    await again.close();
  }
});

test('a database without the schema realtime is refused', async () => {
  const url = await emptyDatabase();
  const starting = startServer({
    port: 0,
    host: '127.0.0.1',
    dir: null,
    databaseUrl: url,
    realtimeUrl: 'http://127.0.0.1:1',
    jwtSecret: JWT_SECRET,
  });
  await expect(starting).rejects.toThrow('start the Realtime server on it first');
  await dropDatabase(url);
});

async function functionsOf(of: PostgresEngine): Promise<unknown> {
  const { rows } = await of.query(
    `select oid::int8, proname::text, md5(prosrc) as source from pg_proc where pronamespace = 'realtime'::regnamespace order by oid`,
  );
  return rows;
}
