// Compares REST's answers with those recorded from PostgREST 14.17 on PostgreSQL 15. Only `hint` may be missing where
// PostgREST suggests a similar name. The requests that REST refuses are in unsupported.test.ts.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { RestCallers } from './rest-callers.ts';

const DIR = join(import.meta.dirname, 'recorded');

const recordedSchema = v.object({
  as: v.picklist(['anon', 'user', 'service']),
  method: v.string(),
  path: v.string(),
  headers: v.record(v.string(), v.string()),
  body: v.nullable(v.string()),
  status: v.number(),
  contentRange: v.nullable(v.string()),
  contentType: v.nullable(v.string()),
  preferenceApplied: v.nullable(v.string()),
  wwwAuthenticate: v.optional(v.nullable(v.string()), null),
  retryAfter: v.optional(v.nullable(v.string()), null),
  answer: v.string(),
  /** The rows of the table after a request that writes. */
  rowsAfter: v.optional(v.array(v.unknown())),
});
type Recorded = v.InferOutput<typeof recordedSchema>;

const lines = (await readFile(join(DIR, 'postgrest-14.17.jsonl'), 'utf8')).trim().split('\n');
const recorded = lines.map((line) => v.parse(recordedSchema, JSON.parse(line)));

let backend: TestBackend;
let callers: RestCallers;
beforeAll(async () => {
  // The database errors that functions raise here are also lines for the operator.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  backend = await startTestBackend();
  await backend.pg.exec(await readFile(join(DIR, 'fixture.sql'), 'utf8'));
  backend.server.database.reloadSchema();
  callers = await RestCallers.of(backend);
});
afterAll(async () => {
  await backend.close();
  vi.restoreAllMocks();
});

/** PostgREST and PostgreSQL suggest similar names of tables, functions and columns; this backend lists no names. */
const withoutSuggestion = (text: string): string =>
  /"code":"PGRST20|"hint":"Perhaps you meant/.test(text)
    ? text.replace(/"hint":(?:null|"(?:[^"\\]|\\.)*")/, '"hint":null')
    : text;

const changesTable = ({ method, path }: Recorded) => !['GET', 'HEAD'].includes(method) && !path.startsWith('/rpc/');

async function answerTo({ as, method, path, headers, body }: Recorded): Promise<unknown> {
  const response = await callers.send(as, method, path, body, headers);
  return {
    status: response.status,
    contentRange: response.headers.get('content-range'),
    contentType: response.headers.get('content-type'),
    preferenceApplied: response.headers.get('preference-applied'),
    wwwAuthenticate: response.headers.get('www-authenticate'),
    retryAfter: response.headers.get('retry-after'),
    answer: withoutSuggestion(await response.text()),
  };
}

async function rowsOf(path: string): Promise<unknown[]> {
  const [table = ''] = /t_\w+/.exec(path) ?? [];
  const { rows } = await backend.pg.query(`select * from public.${table}`);
  return rows.toSorted(byText);
}

const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

const titleOf = ({ as, method, path, headers, body }: Recorded) =>
  [method, path, body ?? '', ...Object.entries(headers).flat(), `as ${as}`].join(' ').slice(0, 200);

test.each(recorded.map((one) => [titleOf(one), one] as const))('%s', async (_, one) => {
  const { status, contentRange, contentType, preferenceApplied, wwwAuthenticate, retryAfter, answer } = one;
  const headers = { contentRange, contentType, preferenceApplied, wwwAuthenticate, retryAfter };
  const expected = { status, ...headers, answer: withoutSuggestion(answer) };
  expect(await answerTo(one)).toEqual(expected);
  const rows = one.rowsAfter === undefined ? [] : await rowsOf(one.path);
  expect(rows).toEqual((one.rowsAfter ?? []).toSorted(byText));
  if (changesTable(one)) await backend.pg.exec('select public.t_reset()');
});
