// Opening a socket: refused handshakes, and upgrades that are left to other listeners.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { PostgresEngine } from '../../../backend/engine/postgres-engine.ts';
import { RealtimeServer, SERVICE_ROLE_KEY, openRealtimeEngine } from './support/realtime-server.ts';

let pg: PostgresEngine;
let server: RealtimeServer;
beforeAll(async () => {
  pg = await openRealtimeEngine();
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

  test.each(['garbage', 'sb_publishable_another'])('with the key %s', async (apikey) => {
    expect(await refused({ apikey })).toEqual(refusal('The token provided is not a valid JWT'));
  });

  test.each<Record<string, string>>([{ vsn: '3.0.0' }, { vsn: '1.0.0' }, {}])(
    'in another protocol: %j',
    async (query) => {
      expect(await refused({ apikey: SERVICE_ROLE_KEY, ...query })).toMatchObject({
        status: 403,
        body: { error: 'The protocol version must be 2.0.0' },
      });
    },
  );
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

  test('is left to another listener', async () => {
    const other = new WebSocketServer({ noServer: true });
    const endListening = server.onUpgrade((request, socket, head) => {
      if (request.url === '/hmr') other.handleUpgrade(request, socket, head, () => {});
    });
    expect(await upgrade()).toBe('open');
    endListening();
  });

  test('below /realtime/v1 is closed even with another listener', async () => {
    const endListening = server.onUpgrade(() => {});
    expect(await upgrade('/realtime/v1/socket')).toBe('socket hang up');
    endListening();
  });

  test('is closed when no one else listens', async () => {
    expect(await upgrade()).toBe('socket hang up');
  });
});
