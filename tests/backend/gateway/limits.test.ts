// The limits per caller and in total: each test reaches a limit, checks the answer, and checks that the limit frees up
// again.
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../backend/gateway/limits.ts';
import { type GatewayServer, type GatewayServerOptions, addressSet, startGateway } from './support/gateway-server.ts';
import { RawConnection, lines, sendRaw } from './support/raw-http.ts';

const GET = lines('GET /rest/v1/x HTTP/1.1', 'Host: localhost');
const post = (length: number) => lines('POST /rest/v1/x HTTP/1.1', 'Host: localhost', `Content-Length: ${length}`);
const SOCKET = lines(
  'GET /realtime/v1/websocket HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
);

const servers: GatewayServer[] = [];
const open: RawConnection[] = [];
afterEach(async () => {
  for (const connection of open.splice(0)) connection.end();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(options: GatewayServerOptions): Promise<GatewayServer> {
  const server = await startGateway({ ...options, limits: { forLoopback: true, ...options.limits } });
  servers.push(server);
  return server;
}

/** `from` is another loopback address, which stands for another machine. */
function connect({ url }: GatewayServer, from?: string): RawConnection {
  const connection = new RawConnection(url, from);
  open.push(connection);
  return connection;
}

describe('requests of one address', () => {
  test('above its rate get 429 with a Retry-After; another address is not affected', async () => {
    const server = await start({ limits: { requests: { burst: 5, perSecond: 2 } } });
    const connection = connect(server);
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await connection.write(GET).answer()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const refused = await connection.write(GET).answer();
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(JSON.parse(refused.body)).toMatchObject({ message: 'Too many requests from this address.' });
    expect((await sendRaw(server.url, GET, '127.0.0.2')).status).toBe(200);
    await delay(600);
    expect((await connection.write(GET).answer()).status).toBe(200);
  });

  test('are counted by the address that a trusted proxy reports; the same header from anyone else is ignored', async () => {
    const limits = { requests: { burst: 1, perSecond: 0.01 } };
    const requestOf = (who: string) => lines('GET / HTTP/1.1', 'Host: localhost', `X-Forwarded-For: ${who}`);
    const proxied = await start({ limits, trustedProxies: addressSet('127.0.0.1') });
    const statusOf = async (server: GatewayServer, who: string) => (await sendRaw(server.url, requestOf(who))).status;
    expect([await statusOf(proxied, '203.0.113.1'), await statusOf(proxied, '203.0.113.1')]).toEqual([200, 429]);
    expect(await statusOf(proxied, '203.0.113.2')).toBe(200);
    // Addresses that a client writes in front do not count; the proxy's own entry does.
    expect(await statusOf(proxied, '198.51.100.7, 203.0.113.1')).toBe(429);
    const direct = await start({ limits });
    expect([await statusOf(direct, '203.0.113.1'), await statusOf(direct, '203.0.113.2')]).toEqual([200, 429]);
  });

  test('from this machine are counted only with `forLoopback`', async () => {
    const server = await start({ limits: { requests: { burst: 1, perSecond: 0.01 }, forLoopback: false } });
    const connection = connect(server);
    for (let n = 0; n < 5; n++) expect((await connection.write(GET).answer()).status).toBe(200);
  });

  test('a flood of refusals leaves only a few log lines', async () => {
    const server = await start({ limits: { requests: { burst: 1, perSecond: 0.01 } } });
    const connection = connect(server);
    for (let n = 0; n < 100; n++) await connection.write(GET).answer();
    expect(server.log.length).toBe(20);
  });

  test('a flood of refusals ends the connection, a proxy’s connection excepted', async () => {
    const limits = { requests: { burst: 1, perSecond: 0.01 } };
    const flooded = async (server: GatewayServer) => {
      const connection = connect(server).write(GET.repeat(400));
      let answers = 0;
      while (answers < 400 && (await connection.answer()).status !== 0) answers++;
      return answers;
    };
    expect(await flooded(await start({ limits }))).toBeLessThanOrEqual(101);
    expect(await flooded(await start({ limits, trustedProxies: addressSet('127.0.0.1') }))).toBe(400);
  });
});

describe('connections', () => {
  test('of one address above the limit get 503; when one ends, there is room again', async () => {
    const server = await start({ limits: { connectionsPerAddress: 3 } });
    const connections = [1, 2, 3].map(() => connect(server));
    for (const connection of connections) expect((await connection.write(GET).answer()).status).toBe(200);
    const refused = await connect(server).answer();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect((await sendRaw(server.url, GET, '127.0.0.2')).status).toBe(200);
    connections[0]?.end();
    await expect.poll(async () => (await sendRaw(server.url, GET)).status).toBe(200);
  });

  test('in total are limited too', async () => {
    const server = await start({ limits: { connections: 5, connectionsPerAddress: 3 } });
    const connections = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'].map((from) =>
      connect(server, from),
    );
    for (const connection of connections) expect((await connection.write(GET).answer()).status).toBe(200);
    expect((await connect(server, '127.0.0.6').answer()).status).toBe(503);
  });

  test('through a trusted proxy do not count as one caller’s', async () => {
    const trustedProxies = addressSet('127.0.0.1');
    const server = await start({ limits: { connectionsPerAddress: 1 }, trustedProxies });
    const connections = [1, 2, 3].map(() => connect(server));
    for (const connection of connections) expect((await connection.write(GET).answer()).status).toBe(200);
  });

  test('opened at once: those within the limit are served, the others get 503', async () => {
    const server = await start({ limits: { connectionsPerAddress: 100, connections: 100 } });
    const all = Array.from({ length: 300 }, () => connect(server).write(GET));
    const statuses = await Promise.all(all.map(async (connection) => (await connection.answer()).status));
    expect(statuses.filter((status) => status === 200).length).toBe(100);
    expect(statuses.every((status) => status === 200 || status === 503 || status === 0)).toBe(true);
  });
});

describe('WebSockets', () => {
  test('asked for on a refused connection do not count', async () => {
    const server = await start({ limits: { connections: 1, requests: { burst: 1, perSecond: 0.01 } } });
    const connection = connect(server);
    await once(connection.socket, 'connect');
    const refused = connect(server).write(SOCKET);
    expect((await refused.answer()).status).toBe(503);
    await refused.closed;
    expect((await connection.write(GET).answer()).status).toBe(200);
  });

  test('of one caller are limited, also behind a proxy', async () => {
    const trustedProxies = addressSet('127.0.0.1');
    const server = await start({ limits: { socketsPerAddress: 2 }, trustedProxies });
    const socketOf = (who: string) =>
      connect(server).write(SOCKET.replace('\r\n\r\n', `\r\nX-Forwarded-For: ${who}\r\n\r\n`));
    const first = socketOf('203.0.113.1');
    expect((await first.answer()).status).toBe(101);
    expect((await socketOf('203.0.113.1').answer()).status).toBe(101);
    const refused = await socketOf('203.0.113.1').answer();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    expect((await socketOf('203.0.113.2').answer()).status).toBe(101);
    first.end();
    await expect.poll(async () => (await socketOf('203.0.113.1').answer()).status).toBe(101);
  });
});

describe('slow clients', () => {
  test('that never finish their headers get 408 and are disconnected', async () => {
    const server = await start({ limits: { headersMs: 300 } });
    const slow = connect(server).write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    const drip = setInterval(() => slow.write('x-more: 1\r\n'), 50);
    const answer = await slow.answer();
    clearInterval(drip);
    expect(answer.status).toBe(408);
    await slow.closed;
  });

  test('that send nothing at all are disconnected', async () => {
    const server = await start({ limits: { headersMs: 300 } });
    const silent = connect(server);
    await silent.closed;
    expect(silent.received).toMatch(/^(?:HTTP\/1\.1 408 |$)/);
  });

  test('with a dripping body get 408 and are disconnected; a slow but steady body is accepted', async () => {
    const server = await start({ limits: { bodyGraceMs: 300, bodyBytesPerSecond: 1_000 } });
    const dripping = connect(server).write(post(10_000));
    const drip = setInterval(() => dripping.write('x'), 50);
    const answer = await dripping.answer();
    clearInterval(drip);
    expect(answer.status).toBe(408);
    await dripping.closed;
    const steady = connect(server).write(post(2_000));
    for (let n = 0; n < 20; n++) {
      steady.write('x'.repeat(100));
      await delay(40);
    }
    expect((await steady.answer()).body).toBe('2000');
  });

  test('with a dripping upload get 408 too; a steady upload arrives completely, and one that the handler stops reading gets its answer', async () => {
    const server = await start({
      limits: { bodyGraceMs: 300, bodyBytesPerSecond: 1_000, body: { ...DEFAULT_LIMITS.body, bytes: 3_000 } },
    });
    const upload = (length: number) => lines('PUT /stream HTTP/1.1', 'Host: localhost', `Content-Length: ${length}`);
    const dripping = connect(server).write(upload(10_000));
    const drip = setInterval(() => dripping.write('x'), 50);
    const answer = await dripping.answer();
    clearInterval(drip);
    expect(answer.status).toBe(408);
    await dripping.closed;
    const steady = connect(server).write(upload(2_000));
    for (let n = 0; n < 20; n++) {
      steady.write('x'.repeat(100));
      await delay(40);
    }
    expect((await steady.answer()).body).toBe('2000');
    const left = connect(server).write(upload(2_000_000)).write('x'.repeat(1_000_000));
    expect((await left.answer()).status).toBe(200);
  });

  test('that keep sending slowly after their answer are disconnected without a second answer', async () => {
    const server = await start({
      limits: { bodyGraceMs: 300, bodyBytesPerSecond: 1_000_000_000, body: { ...DEFAULT_LIMITS.body, bytes: 3_000 } },
    });
    const upload = lines('PUT /stream HTTP/1.1', 'Host: localhost', 'Content-Length: 2000000');
    const answered = connect(server).write(upload).write('x'.repeat(10_000));
    expect((await answered.answer()).status).toBe(200);
    const receivedBefore = answered.received;
    await answered.closed;
    expect(answered.received).toBe(receivedBefore);
    expect((await sendRaw(server.url, GET)).status).toBe(200);
  });

  test('that do not read their answer are disconnected', async () => {
    const server = await start({ limits: { idleMs: 400 }, body: Buffer.alloc(30_000_000, 'x') });
    const paused = connect(server).write(GET);
    paused.socket.pause();
    await delay(1_500);
    paused.socket.resume();
    await paused.closed;
    expect(paused.received.length).toBeLessThan(30_000_000);
  });

  test('do not delay the answers of others', async () => {
    const server = await start({});
    const slow = Array.from({ length: 200 }, () => connect(server).write('POST / HTTP/1.1\r\nHost: localhost\r\n'));
    expect((await sendRaw(server.url, GET)).status).toBe(200);
    expect(slow.every((connection) => !connection.isClosed)).toBe(true);
  });
});

describe('bodies being sent', () => {
  const limits = {
    body: { ...DEFAULT_LIMITS.body, bytes: 1_000 },
    bodyBytesPerAddress: 1_500,
    bodyBytesInTotal: 2_500,
  };

  test('are limited per caller and in total; both limits free up afterwards', async () => {
    const server = await start({ limits });
    const half = (from: string) => connect(server, from).write(post(1_000)).write('x'.repeat(900));
    const first = half('127.0.0.1');
    await delay(50);
    const tooMuch = await half('127.0.0.1').answer();
    expect([tooMuch.status, tooMuch.headers.get('retry-after')]).toEqual([503, '5']);
    const second = half('127.0.0.2');
    await delay(50);
    expect((await half('127.0.0.3').answer()).status).toBe(503);
    expect((await first.write('x'.repeat(100)).answer()).body).toBe('1000');
    expect((await second.write('x'.repeat(100)).answer()).body).toBe('1000');
    for (const from of ['127.0.0.1', '127.0.0.3']) {
      const next = connect(server, from).write(post(1_000)).write('x'.repeat(1_000));
      expect((await next.answer()).body).toBe('1000');
    }
  });

  test('free their share when the client hangs up', async () => {
    const server = await start({ limits });
    for (let n = 0; n < 5; n++) {
      const leaving = connect(server).write(post(1_000)).write('x'.repeat(900));
      await delay(30);
      leaving.end();
      await leaving.closed;
    }
    const next = connect(server).write(post(1_000)).write('x'.repeat(1_000));
    expect((await next.answer()).body).toBe('1000');
  });

  test('that are too large are refused, with or without a Content-Length, and the connection is closed', async () => {
    const server = await start({ limits });
    expect((await connect(server).write(post(1_001)).answer()).status).toBe(413);
    const chunked = connect(server).write(lines('POST /x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked'));
    for (let n = 0; n < 12; n++) chunked.write(`64\r\n${'x'.repeat(100)}\r\n`);
    expect((await chunked.answer()).status).toBe(413);
    await chunked.closed;
  });
});
