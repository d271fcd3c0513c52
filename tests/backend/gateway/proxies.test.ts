// Weft behind a proxy, on a network and on one machine: which addresses count, which headers browsers get, and who may
// read the mail page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkAddresses } from '../../../backend/gateway/addresses.ts';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { addressSet } from './support/gateway-server.ts';
import { type RawAnswer, lines, sendRaw } from './support/raw-http.ts';

const get = (url: string, path: string, ...headers: string[]): Promise<RawAnswer> =>
  sendRaw(url, lines(`GET ${path} HTTP/1.1`, ...headers));

describe('a server for a network', () => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await startTestBackend({ host: '0.0.0.0', log: () => {} });
  });
  afterAll(() => backend.close());

  /** The addresses under which other machines reach this one. */
  const outside = networkAddresses('0.0.0.0');

  test('answers other machines, which need a key for everything', async () => {
    expect(backend.server.networkUrls).toEqual(outside.map((address) => backend.url.replace('127.0.0.1', address)));
    for (const url of backend.server.networkUrls) {
      expect((await fetch(`${url}/config.json`)).status).toBe(200);
      const asked = [
        '/rest/v1/workspaces',
        '/rest/v1/rpc/open_document',
        '/rest/v1/',
        '/auth/v1/user',
        '/auth/v1/settings',
      ];
      const sent = [
        '/auth/v1/signup',
        '/auth/v1/token?grant_type=password',
        '/auth/v1/admin/users',
        '/realtime/v1/api/broadcast',
      ];
      const answers = [
        ...asked.map((path) => fetch(`${url}${path}`)),
        ...sent.map((path) => fetch(`${url}${path}`, { method: 'POST', body: '{}' })),
      ];
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 401));
      expect((await fetch(`${url}/storage/v1/bucket`)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('shows its mail page to no other machine, whatever headers it sends', async () => {
    expect((await fetch(`${backend.url}/__mail.json`)).status).toBe(200);
    for (const url of backend.server.networkUrls) {
      expect((await get(url, '/__mail.json', `Host: ${new URL(url).host}`)).status).toBe(403);
      expect((await get(url, '/__mail.json', 'Host: localhost')).status).toBe(403);
      expect((await get(url, '/__mail', 'Host: 127.0.0.1', 'X-Forwarded-For: 127.0.0.1')).status).toBe(403);
      expect((await get(url, '/%5F%5Fmail', 'Host: 127.0.0.1')).body).not.toContain('<h1>Mail</h1>');
    }
  });

  test('shows its mail page to no one behind a proxy on this machine that says nothing of itself, as nginx from 1.29.7 on', async () => {
    const passedOn = await sendRaw(backend.url, lines('GET /__mail.json HTTP/1.1', 'Host: localhost'));
    expect(passedOn.status).toBe(403);
  });

  test('reads no cookie as a sign-in, and sets only the one that names a device that was in', async () => {
    const { client } = await backend.signUp();
    const answers = [
      await fetch(`${backend.url}/config.json`, { headers: { cookie: 'sb-access-token=x; session=y' } }),
      await fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: backend.server.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'person1@example.com', password: 'correct horse battery' }),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [config, signedIn] = answers.map(({ headers }) => headers.getSetCookie());
    expect(config).toEqual([]);
    expect(signedIn).toEqual([expect.stringMatching(/^weft-device=[^;]+;.*HttpOnly/)]);
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    const byCookie = await fetch(`${backend.url}/auth/v1/user`, {
      headers: { cookie: `sb-access-token=${token}`, apikey: backend.server.anonKey },
    });
    expect(byCookie.status).toBe(401);
  });
});

describe('a server behind a proxy with TLS', () => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await startTestBackend({
      publicUrl: 'https://weft.example',
      trustedProxies: addressSet('127.0.0.1'),
      mailReaders: addressSet('203.0.113.5'),
      log: () => {},
    });
  });
  afterAll(() => backend.close());
  const proxied = (path: string, who: string, ...more: string[]) =>
    get(backend.url, path, 'Host: weft.example', `X-Forwarded-For: ${who}`, ...more);

  test('answers to its public name, and sends Strict-Transport-Security over TLS only', async () => {
    const secure = await proxied('/config.json', '203.0.113.9', 'X-Forwarded-Proto: https');
    expect(secure.status).toBe(200);
    expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(secure.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    const plain = await proxied('/config.json', '203.0.113.9');
    expect(plain.headers.has('strict-transport-security')).toBe(false);
    expect((await proxied('/rest/v1/x', '203.0.113.9', 'X-Forwarded-Proto: https')).headers.has('set-cookie')).toBe(
      false,
    );
  });

  test('uses its public name in the links of emails', async () => {
    await backend.signUp('mail@example.com');
    await backend.anonClient().auth.resetPasswordForEmail('mail@example.com');
    expect(backend.server.database.mailbox.mails[0]?.text).toContain('https://weft.example/');
  });

  test('shows its mail page to the listed addresses only, even though the proxy is on this machine', async () => {
    expect((await proxied('/__mail.json', '203.0.113.5')).status).toBe(200);
    expect((await proxied('/__mail.json', '203.0.113.9')).status).toBe(403);
    expect((await proxied('/__mail.json', '203.0.113.5, 203.0.113.9')).status).toBe(403);
    expect((await proxied('/__mail.json', '127.0.0.1')).status).toBe(403);
    expect((await get(backend.url, '/__mail.json', 'Host: localhost')).status).toBe(403);
  });
});

describe('the security headers of every answer', () => {
  let backend: TestBackend;
  beforeAll(async () => {
    backend = await startTestBackend({ log: () => {} });
  });
  afterAll(() => backend.close());
  const key = () => `apikey: ${backend.server.serviceRoleKey}`;

  test.each([
    ['a page', ['GET /nothing HTTP/1.1', 'Host: localhost']],
    ['a file', ['GET /config.json HTTP/1.1', 'Host: localhost']],
    ['the mail page', ['GET /__mail HTTP/1.1', 'Host: localhost']],
    ['a refusal of a page', ['PUT / HTTP/1.1', 'Host: localhost']],
    ['an unknown host name', ['GET / HTTP/1.1', 'Host: evil.example']],
    ['a malformed request', ['NONSENSE']],
    ['rows', ['GET /rest/v1/workspaces HTTP/1.1', 'Host: localhost', 'KEY']],
    ['an error of the database', ['GET /rest/v1/no_such_table HTTP/1.1', 'Host: localhost', 'KEY']],
    ['a missing key', ['GET /rest/v1/workspaces HTTP/1.1', 'Host: localhost']],
    ['a missing file', ['GET /storage/v1/object/public/a/b HTTP/1.1', 'Host: localhost', 'KEY']],
    ['a refused sign-in', ['GET /auth/v1/user HTTP/1.1', 'Host: localhost', 'KEY']],
  ])('%s: no type sniffing, no referrer, no framing', async (_, request) => {
    const { headers } = await sendRaw(backend.url, lines(...request.map((line) => (line === 'KEY' ? key() : line))));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.has('x-powered-by')).toBe(false);
  });

  test('pages run only their own scripts, talk only to their own server, and use no device', async () => {
    const { headers } = await get(backend.url, '/__mail', 'Host: localhost:4400');
    const policy = new Map(
      headers
        .get('content-security-policy')
        ?.split('; ')
        .map((rule) => [rule.slice(0, rule.indexOf(' ')), rule.slice(rule.indexOf(' ') + 1)]),
    );
    expect(policy.get('default-src')).toBe(`'self'`);
    expect(policy.get('script-src')).toBe(`'self'`);
    expect(policy.get('connect-src')).toMatch(/^'self' ws:\/\/localhost:4400 wss:\/\/localhost:4400 https:\/\/lh3\./);
    for (const directive of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy.get(directive)).toBe(`'none'`);
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe-eval|\*|script-src[^;]*unsafe-inline/);
    expect(headers.get('permissions-policy')).toContain('camera=()');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.has('strict-transport-security')).toBe(false);
  });

  test('an answer of the API, opened as a page, runs nothing', async () => {
    const { headers } = await get(backend.url, '/rest/v1/workspaces', 'Host: localhost', key());
    expect(headers.get('content-security-policy')).toBe(`default-src 'none'; frame-ancestors 'none'; sandbox`);
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  });
});
