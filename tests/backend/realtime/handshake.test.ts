// Opening a socket: what is refused, how it is said, and what has to be left to others.
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { RealtimeServer, SERVICE_ROLE_KEY, createDatabase, tokenOf, tokenWith } from './support/realtime-server.ts';

let pg: PGlite;
let server: RealtimeServer;
beforeAll(async () => {
  pg = await createDatabase();
});
afterAll(() => pg.close());
beforeEach(async () => {
  server = await RealtimeServer.start(pg);
});
afterEach(() => server.close());

type Answer = { status: number | undefined; type: string | undefined; body: unknown };

function refused(query: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ws = new WebSocket(server.address(query));
    ws.on('open', () => reject(new Error('the socket opened')));
    ws.on('error', reject);
    ws.on('unexpected-response', (_, response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () =>
        resolve({ status: response.statusCode, type: response.headers['content-type'], body: JSON.parse(text) }),
      );
    });
  });
}

describe('a socket is refused', () => {
  const refusal = (error: string) => ({ status: 401, type: 'application/json; charset=utf-8', body: { error } });

  test('without an api key', async () => {
    expect(await refused({ vsn: '2.0.0' })).toEqual(refusal('API key is missing'));
  });

  test.each(['garbage', 'sb_publishable_another'])('with the key %s', async (apikey) => {
    expect(await refused({ apikey })).toEqual(refusal('The token provided is not a valid JWT'));
  });

  test('with a token of another secret', async () => {
    const apikey = await tokenOf('alice', {}, 'another-secret-of-at-least-thirty-two-chars');
    expect(await refused({ apikey })).toEqual(refusal('Failed to validate JWT signature'));
  });

  test('with an expired token', async () => {
    const apikey = await tokenOf('alice', { exp: Math.floor(Date.now() / 1000) - 5 });
    expect(await refused({ apikey })).toEqual(refusal('Token has expired'));
  });

  test.each([{ role: 'anon' }, { exp: 4_000_000_000 }])('with a token that only says %o', async (claims) => {
    expect(await refused({ apikey: await tokenWith(claims) })).toEqual(
      refusal('Fields `role` and `exp` are required in JWT'),
    );
  });

  test('with a protocol version that is not known', async () => {
    expect(await refused({ apikey: SERVICE_ROLE_KEY, vsn: '3.0.0' })).toMatchObject({ status: 403 });
  });

  test('after the delay', async () => {
    await server.close();
    server = await RealtimeServer.start(pg, { connectErrorDelayMs: 200 });
    const sent = performance.now();
    await refused({});
    expect(performance.now() - sent).toBeGreaterThan(195);
  });
});

describe('a socket opens', () => {
  test('with a token of the right secret', async () => {
    const client = await server.connect(await tokenOf('alice'));
    expect(await client.rest()).toEqual([]);
  });

  test('with the key in a header', async () => {
    const ws = new WebSocket(server.address({ vsn: '2.0.0' }), { headers: { 'x-api-key': SERVICE_ROLE_KEY } });
    await new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject));
    expect(ws.readyState).toBe(WebSocket.OPEN);
    ws.terminate();
  });

  test('in protocol 1.0.0 when it names none', async () => {
    const ws = new WebSocket(server.address({ apikey: SERVICE_ROLE_KEY }));
    await new Promise((resolve) => ws.once('open', resolve));
    ws.send('{"topic":"phoenix","event":"heartbeat","payload":{},"ref":"1"}');
    const answer = await new Promise((resolve) => ws.once('message', (data) => resolve(String(data))));
    expect(answer).toBe('{"ref":"1","event":"phx_reply","topic":"phoenix","payload":{"status":"ok","response":{}}}');
    ws.terminate();
  });
});

describe('an upgrade of another path', () => {
  function upgrade(path = '/hmr'): Promise<string> {
    return new Promise((resolve) => {
      const ws = new WebSocket(`ws://127.0.0.1:${server.port}${path}`);
      ws.on('error', (error) => resolve(error.message));
      ws.on('open', () => resolve('open'));
      ws.on('open', () => ws.terminate());
    });
  }

  test('is left to whoever else listens', async () => {
    const other = new WebSocketServer({ noServer: true });
    const endListening = server.onUpgrade((request, socket, head) => {
      if (request.url === '/hmr') other.handleUpgrade(request, socket, head, () => {});
    });
    expect(await upgrade()).toBe('open');
    endListening();
  });

  test('below our own is ended whoever listens', async () => {
    const endListening = server.onUpgrade(() => {});
    expect(await upgrade('/realtime/v1/socket')).toBe('socket hang up');
    endListening();
  });

  test('is ended when nobody else listens', async () => {
    expect(await upgrade()).toBe('socket hang up');
  });
});
