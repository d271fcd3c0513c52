// Malformed and malicious requests, sent as bytes: each gets a clear error, the next request is served, and the operator
// gets at most one log line.
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { type RawAnswer, RawConnection, lines, sendRaw } from './support/raw-http.ts';

let backend: TestBackend;
let dir: string;
let host: string;
let key: string;
const log: string[] = [];
beforeAll(async () => {
  dir = await temporaryFolder('bad');
  await mkdir(join(dir, 'dist'));
  await writeFile(join(dir, 'dist', 'index.html'), '<!doctype html><title>Weft</title>');
  await writeFile(join(dir, 'secret.txt'), 'the secret');
  await writeFile(join(dir, 'secret.json'), 'the secret');
  backend = await startTestBackend({ staticDir: join(dir, 'dist'), log: (line) => log.push(line) });
  host = `Host: ${new URL(backend.url).host}`;
  key = `apikey: ${backend.server.anonKey}`;
});
afterAll(async () => {
  await backend.close();
  await rm(dir, { recursive: true, force: true });
});

/** Everything printed to standard error or the console. */
const printed: unknown[] = [];
const record = (...parts: unknown[]) => printed.push(...parts) > 0;
beforeEach(() => {
  log.length = 0;
  printed.length = 0;
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => record(text));
  for (const name of ['error', 'warn', 'log', 'info'] as const) vi.spyOn(console, name).mockImplementation(record);
});
afterEach(async () => {
  vi.restoreAllMocks();
  assert.deepEqual(printed, []);
  assert(log.length <= 1, log.join('\n'));
  assert.equal((await fetch(`${backend.url}/config.json`)).status, 200);
});

const send = (...parts: string[]): Promise<RawAnswer> => sendRaw(backend.url, lines(...parts));

/** Expects one sentence, and neither a page of the app nor a stack. */
const expectClearError = ({ body, headers }: RawAnswer) => {
  expect(headers.get('content-type')).toMatch(/^(?:application\/json|text\/plain); ?charset=utf-8$/i);
  expect(body.length).toBeGreaterThan(10);
  expect(body).not.toMatch(/\bat .+:\d+:\d+|node_modules|<html/i);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
};

describe('files outside the folder of the app', () => {
  const UP = [
    '..',
    '%2e%2e',
    '.%2e',
    '%2E.',
    '..%2f..',
    '%252e%252e',
    '..%c0%af',
    '%c0%ae%c0%ae',
    '%uff0e%uff0e',
    '%ef%bc%8e%ef%bc%8e',
    '..%5c',
    '..%00',
    '..;',
    '....//',
  ];
  const paths = UP.flatMap((up) => [`/${up}/secret.txt`, `/assets/${up}/${up}/secret.txt`, `//${up}/secret.json`]);

  test.each(paths)('GET %s does not show them', async (path) => {
    const { status, body } = await send(`GET ${path} HTTP/1.1`, host);
    expect(body).not.toContain('the secret');
    expect([200, 400, 404]).toContain(status);
  });

  test.each(['/file:///etc/passwd', '//etc/passwd', '/%2fetc%2fpasswd', '/C:%5cwindows%5cwin.ini'])(
    'GET %s returns a page of the app or an error',
    async (path) => expect((await send(`GET ${path} HTTP/1.1`, host)).body).not.toMatch(/daemon:|\[fonts\]/),
  );

  test.each([
    '/storage/v1/object/public/..%2f..%2fkeys.json',
    '/storage/v1/object/public/a/%2e%2e/%2e%2e/%2e%2e/keys.json',
  ])('GET %s does not reach the data directory', async (path) => {
    const { status, body } = await send(`GET ${path} HTTP/1.1`, host, key);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).not.toContain('sb_secret_');
  });
});

describe('the request line', () => {
  test.each(['TRACE', 'PROPFIND', 'LINK', 'QUERY', 'PURGE'])('the method %s is not supported', async (method) => {
    const answer = await send(`${method} /rest/v1/workspaces HTTP/1.1`, host, key);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    expectClearError(answer);
  });

  test('CONNECT is refused: the server is not a proxy', async () => {
    const answer = await send('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443');
    expect(answer.status).toBe(405);
    expectClearError(answer);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is refused for a page', async (method) => {
    for (const path of ['/', '/w/team', '/config.json', '/__mail']) {
      const answer = await send(`${method} ${path} HTTP/1.1`, host, 'Content-Length: 0');
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      log.length = 0;
    }
  });

  test('OPTIONS * gets an answer', async () => {
    expect((await send('OPTIONS * HTTP/1.1', host)).status).toBe(204);
  });

  test.each([
    'GET /w/te\\am HTTP/1.1',
    'GET /a#b HTTP/1.1',
    'GET /caf\u00e9 HTTP/1.1',
    'GET w/team HTTP/1.1',
    'GET * HTTP/1.1',
  ])('%s is not a path', async (line) => {
    const answer = await send(line, host);
    expect(answer.status).toBe(400);
    expectClearError(answer);
  });

  test.each(['GET / HTTP/9.9', 'GET / HTTQ/1.1', 'GET /a b HTTP/1.1', 'NONSENSE', '\u0016\u0003\u0001\u0002'])(
    '"%s" is not a request',
    async (line) => {
      const answer = await send(line, host);
      expect([400, 505]).toContain(answer.status);
      expect(answer.headers.get('connection')).toBe('close');
      expectClearError(answer);
    },
  );

  test('a URL that is too long is refused', async () => {
    const answer = await send(`GET /rest/v1/workspaces?id=in.(${'x'.repeat(8_200)}) HTTP/1.1`, host, key);
    expect(answer.status).toBe(414);
    expectClearError(answer);
  });
});

describe('absolute URLs', () => {
  test('of this server mean their path', async () => {
    const answer = await send(`GET ${backend.url}/config.json HTTP/1.1`, host);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('anonKey');
  });

  test('with another server than Host names are ambiguous and refused', async () => {
    const answer = await send('GET http://localhost/config.json HTTP/1.1', host);
    expect(answer.status).toBe(400);
    expectClearError(answer);
  });

  test.each(['http://evil.example/config.json', 'https://evil.example/', 'http:///config.json', 'http://a@b/x'])(
    '%s is not fetched',
    async (url) => {
      const answer = await send(`GET ${url} HTTP/1.1`, host);
      expect(answer.status).toBe(400);
      expectClearError(answer);
    },
  );
});

describe('headers', () => {
  test.each(['Host', 'Authorization', 'apikey', 'Content-Type', 'Origin', 'Range', 'Content-Profile'])(
    'two %s headers are refused',
    async (name) => {
      const answer = await send('GET /rest/v1/workspaces HTTP/1.1', host, `${name}: a`, `${name.toUpperCase()}: b`);
      expect(answer.status).toBe(400);
      expectClearError(answer);
    },
  );

  test('are refused when they are too many or too long', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `x-${n}: 1`);
    expect((await send('GET / HTTP/1.1', host, ...many)).status).toBe(431);
    log.length = 0;
    const answer = await send('GET / HTTP/1.1', host, `x-long: ${'x'.repeat(40_000)}`);
    expect(answer.status).toBe(431);
    expectClearError(answer);
  });

  test.each(['x y: 1', ': 1', 'x: a\u0000b', 'no colon'])('"%s" is not a header', async (header) => {
    const answer = await send('GET / HTTP/1.1', host, header);
    expect(answer.status).toBe(400);
    expectClearError(answer);
  });

  test.each([[], ['Host:'], ['Host: evil example'], ['Host: a/b'], ['Host: localhost@evil.example']])(
    'an invalid host name is refused: %s',
    async (...names) => expect((await send('GET / HTTP/1.1', ...names)).status).toBe(400),
  );

  test.each([
    'evil.example',
    `evil.example:4400`,
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '192.168.1.1',
    '0.0.0.0',
  ])('Host: %s gets nothing, not even the app (DNS rebinding)', async (name) => {
    for (const path of ['/', '/config.json', '/__mail', '/rest/v1/workspaces']) {
      const answer = await send(`GET ${path} HTTP/1.1`, `Host: ${name}`, key);
      expect(answer.status).toBe(421);
      expect(answer.body).not.toContain('sb_publishable_');
      log.length = 0;
    }
  });

  test('X-Forwarded-Host changes nothing', async () => {
    expect((await send('GET / HTTP/1.1', 'Host: evil.example', 'X-Forwarded-Host: localhost')).status).toBe(421);
  });

  test('an unsupported expectation is refused', async () => {
    const answer = await send('POST /rest/v1/rpc/x HTTP/1.1', host, key, 'Expect: a-pony', 'Content-Length: 2');
    expect(answer.status).toBe(417);
    expectClearError(answer);
  });
});

describe('request smuggling', () => {
  const SMUGGLED = 'GET /__mail.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const post = 'POST /rest/v1/rpc/x HTTP/1.1';

  test.each([
    ['a length and chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 6']],
    ['two lengths', ['Content-Length: 6', 'Content-Length: 5']],
    ['two lengths in one', ['Content-Length: 6, 6']],
    ['a negative length', ['Content-Length: -1']],
    ['a length with a plus sign', ['Content-Length: +6']],
    ['a length in hex', ['Content-Length: 0x6']],
    ['a coding after chunked', ['Transfer-Encoding: chunked, identity']],
    ['an unknown coding', ['Transfer-Encoding: xchunked']],
    ['a coding before chunked', ['Transfer-Encoding: gzip, chunked']],
    ['chunked twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['a tab before the colon', ['Transfer-Encoding\t: chunked']],
    ['a folded header', ['Transfer-Encoding:\r\n chunked', 'Content-Length: 6']],
  ])('%s is refused, and what follows gets no answer', async (_, headers) => {
    const connection = new RawConnection(backend.url).write(
      `${lines(post, host, key, 'Content-Type: application/json', ...headers)}0\r\n\r\n${SMUGGLED}`,
    );
    const { status } = await connection.answer();
    connection.end();
    await connection.closed;
    expect([400, 501]).toContain(status);
    expect(connection.received).not.toContain('HTTP/1.1 200');
  });

  test('chunks in HTTP/1.0 are refused', async () => {
    const { status } = await send('POST /rest/v1/rpc/x HTTP/1.0', host, key, 'Transfer-Encoding: chunked');
    expect(status).toBe(400);
  });

  test('malformed chunks are refused', async () => {
    const connection = new RawConnection(backend.url).write(
      `${lines(post, host, key, 'Transfer-Encoding: chunked')}zz\r\nabc\r\n${SMUGGLED}`,
    );
    await connection.closed;
    expect(connection.received).not.toContain('HTTP/1.1 200');
  });

  test('a line that ends with LF only does not start a second request', async () => {
    const answer = await sendRaw(backend.url, `GET /config.json HTTP/1.1\n${host}\n\n`);
    expect([400, 505]).toContain(answer.status);
  });
});

describe('bodies', () => {
  test('without a key are refused at once, before they arrive', async () => {
    for (const path of [
      '/rest/v1/rpc/x',
      '/auth/v1/signup',
      '/storage/v1/object/a/b',
      '/storage/v1/object/upload/sign/a/b',
    ]) {
      const answer = await send(`POST ${path} HTTP/1.1`, host, 'Content-Length: 40000000');
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toMatchObject({ message: 'No API key found in request' });
      log.length = 0;
    }
  });

  test('without a key get no 100 Continue', async () => {
    const answer = await send('POST /rest/v1/rpc/x HTTP/1.1', host, 'Expect: 100-continue', 'Content-Length: 40000000');
    expect(answer.status).toBe(401);
  });

  test('with a key get 100 Continue', async () => {
    const connection = new RawConnection(backend.url).write(
      lines(
        'POST /rest/v1/rpc/no_such HTTP/1.1',
        host,
        key,
        'Expect: 100-continue',
        'Content-Type: application/json',
        'Content-Length: 2',
      ),
    );
    expect((await connection.answer()).status).toBe(100);
    expect((await connection.write('{}').answer()).status).toBe(404);
    connection.end();
  });

  test('with too large a Content-Length are refused at once', async () => {
    const answer = await send('POST /rest/v1/rpc/x HTTP/1.1', host, key, 'Content-Length: 50331649');
    expect(answer.status).toBe(413);
    expectClearError(answer);
  });

  test.each(['{"a":', '\u0000', '[[[[', '"', '{"__proto__":{"x":1}}', '['.repeat(20_000)])(
    'that are not arguments get an error: %s',
    async (body) => {
      const { status } = await sendRaw(
        backend.url,
        lines(
          'POST /rest/v1/rpc/append_update HTTP/1.1',
          host,
          key,
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(body)}`,
        ) + body,
      );
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );
});

describe('HTTP/1.0', () => {
  test('is served', async () => {
    const answer = await send('GET /config.json HTTP/1.0', host);
    expect(answer.status).toBe(200);
  });

  test('without Host is refused: the name protects against DNS rebinding', async () => {
    expect((await send('GET / HTTP/1.0')).status).toBe(400);
  });
});

describe('upgrades', () => {
  const WEBSOCKET_HEADERS = [
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  const openSocket = (...more: string[]) =>
    send(
      `GET /realtime/v1/websocket?apikey=${backend.server.anonKey}&vsn=2.0.0 HTTP/1.1`,
      ...more,
      ...WEBSOCKET_HEADERS,
    );

  test('from the app itself and from programs are accepted', async () => {
    expect((await openSocket(host)).status).toBe(101);
    expect((await openSocket(host, `Origin: ${backend.url}`)).status).toBe(101);
    expect((await openSocket(host, 'Origin: http://localhost:5173')).status).toBe(101);
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1.nip.io', 'file://', 'http://localhost@evil.example'])(
    'by a page of %s are refused',
    async (origin) => {
      const answer = await openSocket(host, `Origin: ${origin}`);
      expect(answer.status).toBe(403);
      expectClearError(answer);
    },
  );

  test('under an unknown name, with POST or to HTTP/2 are refused', async () => {
    expect((await openSocket('Host: evil.example')).status).toBe(421);
    log.length = 0;
    expect(
      (await send('POST /realtime/v1/websocket HTTP/1.1', host, 'Content-Length: 0', ...WEBSOCKET_HEADERS)).status,
    ).toBe(405);
    log.length = 0;
    const h2c = await send(
      'GET /config.json HTTP/1.1',
      host,
      'Upgrade: h2c',
      'Connection: Upgrade, HTTP2-Settings',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    );
    expect(h2c.status).toBe(200);
  });

  test('without a key or with another project’s key are refused', async () => {
    const other = `sb_publishable_${'x'.repeat(22)}_${'y'.repeat(8)}`;
    for (const query of ['', `?apikey=${other}`]) {
      const { status } = await send(`GET /realtime/v1/websocket${query} HTTP/1.1`, host, ...WEBSOCKET_HEADERS);
      expect(status).toBe(401);
    }
  });
});
