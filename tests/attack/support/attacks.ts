// Requests of someone who has only the public key: the costliest that each part of the backend lets through, and some that it
// refuses.
import { DEFAULT_LIMITS } from '../../../backend/gateway/limits.ts';

export type Attack = {
  readonly path: string;
  /** POST by default. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const { bytes, jsonValues, jsonDepth } = DEFAULT_LIMITS.anonymousBody;
/** Length of a query, so that the address stays below its limit. */
const QUERY = DEFAULT_LIMITS.urlBytes - 200;
const TOKEN = DEFAULT_LIMITS.headerBytes / 2;

export const jsonKeys = (count: number): string =>
  `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',')}}`;
export const jsonNested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Attack => ({
  path,
  method: 'GET',
  headers,
});
const filled = (part: string): string => part.repeat(Math.floor(QUERY / part.length));
const rpc = (body: string): readonly Attack[] =>
  ['open_watch', 'append_update', 'no_such'].map((name) => ({ path: `/rest/v1/rpc/${name}`, body }));

const longText = JSON.stringify({ secret: 'x'.repeat(bytes - 20) });

export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  nothing: [],
  'a million keys': [{ path: '/rest/v1/rpc/open_watch', body: jsonKeys(1_000_000) }],
  'as many values as are allowed': rpc(jsonKeys(jsonValues - 1)),
  'as deep as is allowed': rpc(jsonNested(jsonDepth)),
  'as long as is allowed': rpc(longText),
  'small calls': rpc('{"secret":"x","since":0}'),
  'nested select': [get(`/rest/v1/workspaces?select=${filled('a(')}`)],
  'many columns': [
    get(`/rest/v1/workspaces?select=${filled('id,')}id`),
    get(`/rest/v1/workspaces?order=${filled('id,')}id`),
  ],
  'many filters': [
    get(`/rest/v1/workspaces?${filled('id=eq.1&')}id=eq.1`),
    get(`/rest/v1/workspaces?id=in.(${filled('1,')}1)`),
  ],
  patterns: [get(`/rest/v1/workspaces?name=like.${filled('*a')}`)],
  tokens: [
    get('/rest/v1/workspaces', { authorization: `Bearer ${'x'.repeat(TOKEN)}` }),
    get('/rest/v1/workspaces', { authorization: `Bearer ${filled('eyJ.')}` }),
    get('/rest/v1/workspaces', { authorization: `Bearer eyJhbGciOiJIUzI1NiJ9.${'e'.repeat(TOKEN)}.x` }),
  ],
  accounts: [
    { path: '/auth/v1/signup', body: '{"email":"x@example.com","password":"0123456789"}' },
    { path: '/auth/v1/token?grant_type=password', body: '{"email":"x@example.com","password":"0123456789"}' },
    { path: '/auth/v1/signup', body: `{"data":${jsonKeys(jsonValues - 4)}}` },
    { path: '/auth/v1/verify', body: '{"type":"email","token":"123456","email":"x@example.com"}' },
    { path: '/auth/v1/recover', body: '{"email":"x@example.com"}' },
  ],
  files: [
    { path: '/storage/v1/object/list/attachments', body: '{"prefix":""}' },
    { path: '/storage/v1/object/attachments/x', body: longText },
    get('/storage/v1/object/attachments/x'),
  ],
  pages: [get('/'), get(`/${filled('a/')}`), get(`/${filled('%20')}`), get('/config.json')],
};
