// The embedded backend supports the calls of Auth, REST and Storage that Weft's code makes; any other call gets 501 and a
// sentence, and so does every call of Realtime, which has a WebSocket. The test searches the code for the methods of supabase-js that it calls.
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { sourcesBelow } from '../support/sources.ts';

/** A call as "METHOD path". */
type Calls = Readonly<Record<string, readonly string[]>>;

const REFRESH = 'POST /token?grant_type=refresh_token';

/** Methods of `supabase.auth` and the calls that they make. */
const AUTH: Calls = {
  signUp: ['POST /signup'],
  signInAnonymously: ['POST /signup'],
  signInWithPassword: ['POST /token?grant_type=password'],
  signInWithOtp: ['POST /otp', 'GET /verify'],
  resetPasswordForEmail: ['POST /recover', 'GET /verify'],
  verifyOtp: ['POST /verify'],
  initialize: ['POST /token?grant_type=pkce'],
  getSession: [REFRESH],
  refreshSession: [REFRESH],
  setSession: [REFRESH, 'GET /user'],
  getUser: ['GET /user'],
  updateUser: ['PUT /user'],
  signOut: ['POST /logout'],
  onAuthStateChange: [],
  stopAutoRefresh: [],
};

/** The app calls these only where `GET /settings` names a provider; the embedded backend has none and refuses their calls. */
const AUTH_OF_PROVIDERS = ['linkIdentity', 'signInWithOAuth'];

const ACCOUNT = '/admin/users/00000000-0000-4000-8000-000000000000';

/** Methods of `supabase.auth.admin`. */
const ADMIN: Calls = {
  createUser: ['POST /admin/users'],
  deleteUser: [`GET ${ACCOUNT}`, `DELETE ${ACCOUNT}`],
};

/** Methods of `supabase.from(table)`; unsupported.test.ts has what REST refuses in detail. */
const REST: Calls = {
  select: ['GET /workspaces?select=id', 'HEAD /workspaces'],
  eq: ['GET /workspaces?name=eq.x'],
  in: ['GET /workspaces?name=in.(x,y)'],
  like: ['GET /workspaces?name=like.x*'],
  order: ['GET /workspaces?order=name.desc'],
  range: ['GET /workspaces?offset=1&limit=2'],
  insert: ['POST /workspaces'],
  update: ['PATCH /workspaces?name=eq.x'],
  delete: ['DELETE /workspaces?name=eq.x'],
};

/** Methods of `supabase.storage` and `supabase.storage.from(bucket)`. */
const STORAGE: Calls = {
  from: [],
  upload: ['POST /object/attachments/x'],
  copy: ['POST /object/copy'],
  remove: ['DELETE /object/attachments'],
  download: ['GET /object/attachments/x', 'GET /object/authenticated/attachments/x'],
  list: ['POST /object/list/attachments'],
  createBucket: ['POST /bucket'],
  listBuckets: ['GET /bucket'],
};

/** A crash test makes this call without supabase-js. */
const STORAGE_BY_HAND = ['GET /bucket/attachments'];

/** The check of a project makes this call without supabase-js. */
const AUTH_BY_HAND = ['GET /settings'];

const OTHER_AUTH = [
  ...['GET /health', 'GET /authorize', 'GET /callback', 'GET /.well-known/jwks.json'],
  ...['POST /magiclink', 'POST /resend', 'POST /invite', 'POST /admin/generate_link', 'GET /reauthenticate'],
  ...['GET /admin/users', `PUT ${ACCOUNT}`, 'POST /factors', 'GET /user/identities/authorize', 'POST /sso'],
  ...['PATCH /user', 'DELETE /user', 'GET /token', 'POST /SIGNUP', 'POST /nothing'],
];
const OTHER_REST = ['GET /', 'PUT /workspaces?id=eq.1', 'GET /workspaces?name=gt.x', 'GET /rpc/list_documents'];
const OTHER_STORAGE = [
  ...[
    'PUT /object/attachments/x',
    'DELETE /object/attachments/x',
    'POST /object/move',
    'POST /object/list-v2/attachments',
  ],
  ...['GET /object/info/attachments/x', 'GET /object/public/attachments/x', 'GET /object/sign/attachments/x?token=x'],
  ...['POST /object/sign/attachments', 'POST /object/sign/attachments/x', 'POST /object/upload/sign/attachments/x'],
  ...['PUT /bucket/attachments', 'POST /bucket/attachments/empty', 'DELETE /bucket/attachments', 'DELETE /cdn/x'],
  ...['GET /render/image/public/attachments/x', 'GET /status', 'POST /upload/resumable'],
];

const OTHER_REALTIME = ['POST /api/broadcast', 'POST /api/broadcast/x/events/y', 'GET /api/ping', 'GET /websocket'];

/** The tests of the services themselves may call everything. */
const ownTests = /^tests\/backend\/(?:auth|rest|storage|supported-calls)/;
const sources = ['src', 'scripts', 'bench', 'tests']
  .flatMap((folder) => sourcesBelow(folder))
  .filter(({ path }) => !ownTests.test(path));

/** The names that `pattern` finds in the code, each once, in alphabetical order. */
const namesInCode = (pattern: RegExp): readonly string[] =>
  [...new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map((found) => found[1] ?? '')))].toSorted();

/** The methods called in a chain behind `.from('table')`. */
function tableMethodsInCode(): readonly string[] {
  const argument = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
  const chain = new RegExp(
    String.raw`(?<!storage\s*|Buffer|Array)\.from\((?:'\w+'|table)\)((?:\s*\.\w+${argument})+)`,
    'g',
  );
  const chains = sources.flatMap(({ text }) => [...text.matchAll(chain)].map((found) => found[1] ?? ''));
  const names = chains.flatMap((text) =>
    [...text.matchAll(new RegExp(String.raw`\.(\w+)${argument}`, 'g'))].map((found) => found[1] ?? ''),
  );
  return [...new Set(names)].toSorted();
}

/** All methods of storage-js: the receivers in the code have others of their own. */
function storageMethods(): ReadonlySet<string> {
  const { storage } = createClient('http://127.0.0.1', 'key');
  const names = new Set<string>();
  for (const client of [storage, storage.from('x')]) {
    for (let one: object | null = client; one !== null; one = Object.getPrototypeOf(one))
      if (one !== Object.prototype) Object.getOwnPropertyNames(one).forEach((name) => names.add(name));
  }
  return names;
}

test('the methods of Auth in the code are those in the tables above', () => {
  expect(namesInCode(/\.auth\s*\.(\w+)\(/g)).toEqual([...Object.keys(AUTH), ...AUTH_OF_PROVIDERS].toSorted());
  expect(namesInCode(/\.auth\.admin\.(\w+)\(/g)).toEqual(Object.keys(ADMIN).toSorted());
});

test('the methods of REST in the code are those in the table above', () => {
  expect(tableMethodsInCode()).toEqual(Object.keys(REST).toSorted());
});

test('the methods of Storage in the code are those in the table above', () => {
  const receiver = String.raw`(?:client|service|Client\(\)|user)\s*\.storage|\bbucket\(\)|\bfiles|storage\s*\.from\((?:'\w+'|bucket|\w+)\)`;
  const found = namesInCode(new RegExp(String.raw`(?:${receiver})\s*\.(\w+)\(`, 'g'));
  const methods = storageMethods();
  expect(found.filter((name) => methods.has(name))).toEqual(Object.keys(STORAGE).toSorted());
});

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ log: () => {} });
});
afterAll(() => backend.close());

/** The status of a call with the secret key; anything with a body gets an empty object. */
async function statusOf(service: string, call: string): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const key = backend.server.serviceRoleKey;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const response = await fetch(`${backend.url}/${service}/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: key,
      authorization: `Bearer ${key}`,
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: '{"name":5}' } : {}),
  });
  await response.body?.cancel();
  return response.status;
}

describe.each<[service: string, supported: readonly string[], others: readonly string[]]>([
  ['auth', [...Object.values(AUTH), ...Object.values(ADMIN), AUTH_BY_HAND].flat(), OTHER_AUTH],
  ['rest', Object.values(REST).flat(), OTHER_REST],
  ['storage', [...Object.values(STORAGE).flat(), ...STORAGE_BY_HAND], OTHER_STORAGE],
  ['realtime', [], OTHER_REALTIME],
])('/%s/v1', (service, supported, others) => {
  test.each([...new Set(supported)])('supports %s', async (call) => {
    expect(await statusOf(service, call)).not.toBe(501);
  });

  test.each(others)('answers 501 to %s', async (call) => {
    expect(await statusOf(service, call)).toBe(501);
  });
});
