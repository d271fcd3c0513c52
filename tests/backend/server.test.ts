// The HTTP server: the files of the app, /config.json, calls from other origins, request bodies, the mail page and
// WebSockets.
import { once } from 'node:events';
import { mkdir, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../../backend/http/server.ts';
import { StartError } from '../../backend/start-error.ts';
import { compressFiles } from '../../scripts/setup/compress-files.mjs';
import { copyDatabase, dropDatabase } from '../support/database/databases.ts';
import { type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(4000))})`;

let backend: TestBackend;
let dir: string;
beforeAll(async () => {
  dir = await temporaryFolder('server');
  const dist = join(dir, 'dist');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await writeFile(join(dir, 'secret.txt'), 'secret');
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Weft</title>');
  await writeFile(join(dist, 'sw.js'), 'self');
  await writeFile(join(dist, 'assets', 'index-D4x1bZ2k.js'), SCRIPT);
  await writeFile(join(dist, 'assets', 'letter-Ab_-12Zz.woff2'), 'font');
  await compressFiles(dist);
  backend = await startTestBackend({ staticDir: dist, plan: undefined });
});
afterAll(async () => {
  await backend.close();
  await rm(dir, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${backend.url}${path}`, { headers });

/** Sends paths and headers unchanged; `fetch` would normalize them. */
async function getRaw(path: string, headers: Record<string, string> = {}) {
  const request = rawRequest(backend.url, { path, headers }).end();
  const [response] = await once(request, 'response');
  return { status: response.statusCode, body: await text(response) };
}

describe('the app’s files', () => {
  test('index.html is revalidated each time, and an unchanged one gets 304', async () => {
    const page = await get('/');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await page.text()).toContain('<title>Weft</title>');
    const again = await get('/', { 'if-none-match': page.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(again.headers.get('cache-control')).toBe('no-cache');
    expect(again.headers.get('content-security-policy')).toContain(`script-src 'self';`);
    expect((await get('/sw.js')).headers.get('cache-control')).toBe('no-cache');
  });

  test('a file with a hash in its name is cached for ever, and sent compressed', async () => {
    const script = await get('/assets/index-D4x1bZ2k.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(await script.text()).toBe(SCRIPT);
    const zipped = await get('/assets/index-D4x1bZ2k.js', { 'accept-encoding': 'gzip' });
    expect([zipped.headers.get('content-encoding'), await zipped.text()]).toEqual(['gzip', SCRIPT]);
    const plain = await get('/assets/index-D4x1bZ2k.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(SCRIPT);
    expect((await get('/assets/letter-Ab_-12Zz.woff2')).headers.get('content-type')).toBe('font/woff2');
  });

  test.each(['/w/team', '/w/team/p/notes-2.0-01a1fc1e', '/s', '/nonsense'])('%s gets index.html', async (path) => {
    const page = await get(path);
    expect({ status: page.status, type: page.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    });
  });

  test.each(['/assets/gone-12345678.js', '/favicon.ico', '/missing.css'])('%s gets 404', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/..%5csecret.txt',
  ])('%s does not leave the folder', async (path) => {
    const { body } = await getRaw(path);
    expect(body).not.toContain('secret');
  });

  test.each(['/%00', '/%', '/%c0%ae'])('%s gets 400', async (path) => {
    expect((await getRaw(path)).status).toBe(400);
  });

  test('a page may run only its own scripts, and no site may frame it', async () => {
    const { headers } = await get('/w/team');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`script-src 'self';`);
    expect(policy).toContain(`frame-ancestors 'none'`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('a new build is served at once, and a missing one is reported', async () => {
    const index = join(dir, 'dist', 'index.html');
    await rm(index);
    expect(await getRaw('/w/team')).toEqual({ status: 404, body: 'The app has not been built.' });
    await writeFile(index, '<!doctype html><title>Weft</title><!-- new -->');
    expect((await getRaw('/w/team')).body).toContain('<!-- new -->');
  });

  test.each(['bytes=0-1', 'bytes=5-3', 'bytes=-5', 'nonsense'])(
    'a range (%s) is answered with the whole file',
    async (range) => {
      const script = await get('/assets/index-D4x1bZ2k.js', { range });
      expect([script.status, await script.text()]).toEqual([200, SCRIPT]);
    },
  );

  test('a client that hangs up in the middle leaves no file open', async () => {
    // Only Linux shows which files a process has open.
    if (process.platform !== 'linux') return;
    const file = join(dir, 'dist', 'assets', 'large-12345678.wasm');
    await writeFile(file, Buffer.alloc(16 * 1024 * 1024));
    const isOpen = async () => {
      const opened = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
      return (await Promise.all(opened)).includes(file);
    };
    const { hostname, port } = new URL(backend.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET /assets/large-12345678.wasm HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await once(socket, 'data');
    expect(await isOpen()).toBe(true);
    socket.destroy();
    await expect.poll(isOpen).toBe(false);
  });

  test('they cannot be written', async () => {
    expect((await fetch(`${backend.url}/index.html`, { method: 'PUT', body: 'x' })).status).toBe(405);
  });
});

test('config.json tells the app where its backend is, and is never cached', async () => {
  const response = await get('/config.json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ url: '', anonKey: backend.server.anonKey, embedded: true, guests: true });
});

test('with the limits of a plan, config.json names its messages per second', async () => {
  const onPlan = await startTestBackend({ plan: 'free', log: () => {} });
  expect(await (await fetch(`${onPlan.url}/config.json`)).json()).toMatchObject({ embedded: true, liveBudget: 100 });
  // The database publishes to watchers within the same limit.
  const ofDatabase = await onPlan.pg.query('select messages_per_second from weft.settings');
  expect(ofDatabase.rows).toEqual([{ messages_per_second: 100 }]);
  await onPlan.close();
});

test('a module that gets the app’s errors is named in config.json, and its pages may send to the origins that were named', async () => {
  const reporting = await startTestBackend({
    onError: 'export {}',
    connectTo: ['https://a.example', 'https://b.example'],
  });
  const config = await fetch(`${reporting.url}/config.json`);
  expect(await config.json()).toMatchObject({ onError: '/on-error.js' });
  const host = new URL(reporting.url).host;
  expect(config.headers.get('content-security-policy')).toContain(
    `connect-src 'self' ws://${host} wss://${host} https://a.example https://b.example https://lh3.googleusercontent.com `,
  );
  const module = await fetch(`${reporting.url}/on-error.js`);
  expect(module.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await module.text()).toBe('export {}');
  await reporting.close();
  // Without one, nothing is at its address, and pages send to their own server only. They fetch pictures that are pasted from
  // Google.
  const { status, headers } = await get('/on-error.js');
  expect(status).toBe(404);
  expect(headers.get('content-security-policy')).toMatch(
    /connect-src 'self' ws:\S+ wss:\S+( https:\/\/lh\d[-a-z]*\.googleusercontent\.com)+;/,
  );
});

describe('calls from other sites', () => {
  test.each(['/rest/v1/rpc/append_update', '/auth/v1/token', '/storage/v1/object/a/b'])(
    'a preflight to %s is answered for a day without a key',
    async (path) => {
      const response = await fetch(`${backend.url}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://weft.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'apikey,authorization,content-type,x-client-info',
        },
      });
      expect(response.status).toBe(204);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'apikey,authorization,content-type,x-client-info',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-max-age': '86400',
      });
    },
  );

  test('a refusal is readable for other origins too', async () => {
    const response = await get('/rest/v1/workspaces', { origin: 'https://weft.example' });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('bodies', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    fetch(`${backend.url}/rest/v1/rpc/nothing`, {
      method: 'POST',
      headers: { apikey: backend.server.anonKey, 'content-type': 'application/json', ...headers },
      body,
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });

  test('that are too large are refused, with or without a Content-Length', async () => {
    expect((await post('x'.repeat(49 * 1024 * 1024))).status).toBe(413);
    const chunk = new Uint8Array(1024 * 1024);
    let sent = 0;
    const endless = new ReadableStream({ pull: (c) => (sent++ < 60 ? c.enqueue(chunk) : c.close()) });
    expect((await post(endless)).status).toBe(413);
  });

  test('that arrive slowly do not delay others', async () => {
    const { hostname, port } = new URL(backend.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /rest/v1/rpc/nothing HTTP/1.1\r\nhost: ${hostname}\r\napikey: ${backend.server.serviceRoleKey}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
    );
    await once(socket, 'connect');
    expect((await backend.serviceClient().from('workspaces').select('id')).error).toBeNull();
    socket.destroy();
  });
});

describe('the mail page', () => {
  test('shows emails on this machine', async () => {
    await backend.signUp('mail@example.com');
    await backend.anonClient().auth.resetPasswordForEmail('mail@example.com');
    const mails = await (await get('/__mail.json')).json();
    expect(mails).toMatchObject([{ to: 'mail@example.com', subject: expect.any(String) }]);
    const page = await (await get('/__mail')).text();
    expect(page).toContain('mail@example.com');
    expect(page).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/auth\/v1\/verify\?/);
  });

  test('has the colors of the app in both themes', async () => {
    const page = await (await get('/__mail')).text();
    const tokens = await readFile(new URL('../../src/ui/theme/tokens.css', import.meta.url), 'utf8');
    const used = [...page.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
    expect(used.length).toBeGreaterThan(5);
    for (const [, name, ...values] of used) {
      const inApp = [...tokens.matchAll(new RegExp(`--${name}: (#\\w+);`, 'g'))].map(([, value]) => value);
      expect([name, ...values]).toEqual([name, ...inApp.slice(0, 2)]);
    }
  });

  test('shows emails as text, never as markup', async () => {
    backend.server.database.mailbox.add({ to: '<b>@example.com', subject: '<script>', text: '"><img src=x>' });
    const page = await (await get('/__mail')).text();
    expect(page).not.toMatch(/<script>|<img|<b>/);
  });

  test.each([
    ['someone behind a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['someone behind a newer proxy', { forwarded: 'for=203.0.113.7' }],
    ['someone behind a proxy that names itself', { via: '1.1 proxy' }],
    ['someone behind a proxy with names of its own', { 'x-real-ip': '203.0.113.7' }],
  ])('is closed to %s', async (_, headers) => {
    expect((await getRaw('/__mail.json', headers)).status).toBe(403);
  });

  test('is closed to a proxy without proxy headers, such as nginx with default settings', async () => {
    const connection = connect(Number(new URL(backend.url).port), '127.0.0.1');
    connection.write('GET /__mail.json HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    expect(await text(connection)).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('sockets', () => {
  test('a channel can be joined through the same port', async () => {
    const { client, id } = await backend.signUp();
    const channel = client.channel(`u:${id}`, { config: { private: true } });
    const status = await new Promise((resolve) => channel.subscribe((now) => resolve(now)));
    expect(status).toBe('SUBSCRIBED');
  });

  test('an upgrade of another path is dropped', async () => {
    const socket = new WebSocket(`${backend.url.replace('http', 'ws')}/elsewhere`);
    const [event] = await once(socket, 'close');
    expect(event.code).toBe(1006);
  });
});

test('a start that cannot write its address into the data directory gives the directory and the database back', async () => {
  const data = await temporaryFolder('address');
  const databaseUrl = await copyDatabase('backend');
  const options = { port: 0, host: '127.0.0.1', dir: data, databaseUrl };
  try {
    await (await startServer(options)).close();
    await mkdir(join(data, 'running.json'));
    await expect(startServer(options)).rejects.toThrow('EISDIR');
    await rm(join(data, 'running.json'), { recursive: true });
    await (await startServer(options)).close();
  } finally {
    await rm(data, { recursive: true, force: true });
    await dropDatabase(databaseUrl);
  }
});

test('a server on a busy port fails with a StartError, and the running one stays up', async () => {
  const port = Number(new URL(backend.url).port);
  await expect(startServer({ port, host: '127.0.0.1', dir: null })).rejects.toBeInstanceOf(StartError);
  expect((await get('/config.json')).status).toBe(200);
});
