// Forged tokens at every entry point: REST, Auth, Storage, Broadcast over HTTP, and the WebSocket handshake.
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { lines, sendRaw } from './support/raw-http.ts';

let backend: TestBackend;
let other: TestBackend;
let person: { readonly id: string; readonly token: string };
let foreign: string;
const log: string[] = [];
beforeAll(async () => {
  [backend, other] = await Promise.all([
    startTestBackend({ log: (line) => log.push(line) }),
    startTestBackend({ log: () => {} }),
  ]);
  const [here, there] = await Promise.all([backend.signUp(), other.signUp()]);
  person = { id: here.id, token: (await here.client.auth.getSession()).data.session?.access_token ?? '' };
  foreign = (await there.client.auth.getSession()).data.session?.access_token ?? '';
});
afterAll(() => Promise.all([backend.close(), other.close()]));
beforeEach(() => {
  log.length = 0;
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const seconds = (): number => Math.floor(Date.now() / 1_000);
const claims = (more: object = {}) => ({
  sub: person.id,
  role: 'authenticated',
  aud: 'authenticated',
  iat: seconds(),
  exp: seconds() + 3_600,
  ...more,
});
const hmac = (text: string, secret: string, hash = 'sha256') =>
  createHmac(hash, secret).update(text).digest('base64url');
function signed(header: object, payload: object, secret: string): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${hmac(text, secret)}`;
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = publicKey.export({ type: 'spki', format: 'pem' });
function rsaSigned(): string {
  const text = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims())}`;
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

const realSecret = () => backend.server.database.keys.jwtSecret;
const HS256 = { alg: 'HS256', typ: 'JWT' };
const FORGED: readonly (readonly [string, () => string])[] = [
  ['with alg none', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims())}.`],
  ['with alg None and a signature', () => signed({ alg: 'None', typ: 'JWT' }, claims(), realSecret())],
  ['without an algorithm', () => signed({ typ: 'JWT' }, claims(), realSecret())],
  ['signed with another key', () => signed(HS256, claims(), 'x'.repeat(64))],
  ['signed with an empty secret', () => signed(HS256, claims(), '')],
  ['signed with the public api key', () => signed(HS256, claims({ role: 'service_role' }), backend.server.anonKey)],
  ['of RS256', rsaSigned],
  ['of HS256 with a public RSA key as secret', () => signed(HS256, claims(), String(publicPem))],
  ['that contains its own key', () => signed({ ...HS256, jwk: { kty: 'oct', k: encode('x') } }, claims(), 'x')],
  [
    'whose role was changed',
    () => {
      const [header, , signature] = person.token.split('.');
      return `${header}.${encode(claims({ role: 'service_role' }))}.${signature}`;
    },
  ],
  ['whose signature was cut', () => person.token.slice(0, -10)],
  ['that has expired', () => signed(HS256, claims({ exp: seconds() - 60 }), realSecret())],
  ['that is not valid yet', () => signed(HS256, claims({ nbf: seconds() + 600 }), realSecret())],
  ['of another project', () => foreign],
  // Signed with the right secret: the roles of the database are still not those of the API.
  ...['postgres', 'supabase_admin', 'supabase_auth_admin', 'nobody', ''].map(
    (role) => [`of the role “${role}”`, () => signed(HS256, claims({ role }), realSecret())] as const,
  ),
  ['that is not a JWT', () => 'not.a.token'],
  ['without dots', () => 'nonsense'],
];

const ENTRY_POINTS: readonly (readonly [string, (token: string) => Promise<number>])[] = [
  ['REST', (token) => requestWith('GET', '/rest/v1/workspaces?select=id', token)],
  [
    'a function',
    (token) => requestWith('POST', '/rest/v1/rpc/update_profile', token, { display_name: 'Mallory', color: 'rust' }),
  ],
  ['Auth', (token) => requestWith('GET', '/auth/v1/user', token)],
  ['the accounts', (token) => requestWith('POST', '/auth/v1/admin/users', token)],
  ['Storage', (token) => requestWith('GET', '/storage/v1/bucket', token)],
  ['an upload', (token) => requestWith('POST', '/storage/v1/object/attachments/x', token)],
];

async function requestWith(method: string, path: string, token: string, body: unknown = {}): Promise<number> {
  const response = await fetch(`${backend.url}${path}`, {
    method,
    headers: { apikey: backend.server.anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  expect(text).not.toMatch(/node_modules|at .+:\d+:\d+/);
  return response.status;
}

describe.each(FORGED)('a token %s', (_, make) => {
  test.each(ENTRY_POINTS)('does not open %s', async (__, send) => {
    expect([400, 401, 403]).toContain(await send(make()));
    expect(log.length).toBeLessThanOrEqual(1);
  });

  test('is not accepted as an API key', async () => {
    const byKey = await fetch(`${backend.url}/rest/v1/workspaces`, { headers: { apikey: make() } });
    expect(byKey.status).toBe(401);
  });
});

test('no forged token opens a WebSocket', async () => {
  const opened = FORGED.map(([, make]) =>
    sendRaw(
      backend.url,
      lines(
        `GET /realtime/v1/websocket?vsn=2.0.0&apikey=${make()} HTTP/1.1`,
        'Host: localhost',
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
    ),
  );
  expect((await Promise.all(opened)).map(({ status }) => status)).toEqual(FORGED.map(() => 401));
});

test('the genuine token is accepted everywhere', async () => {
  expect(await requestWith('GET', '/rest/v1/workspaces?select=id', person.token)).toBe(200);
  expect(await requestWith('GET', '/auth/v1/user', person.token)).toBe(200);
  expect(await requestWith('GET', '/storage/v1/bucket', person.token)).toBe(200);
});
