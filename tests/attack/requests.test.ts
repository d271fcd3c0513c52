// Requests of someone who has only the public key. Each is built to keep the event loop busy, which would stop everyone's live
// updates: it is refused before it is parsed. `npm run attack` also measures the time that this thread spends on each, not the
// time on the clock, so other programs do not count.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../../backend/gateway/limits.ts';
import { type TestBackend, startTestBackend } from '../support/server/backend.ts';
import { jsonKeys, jsonNested } from './support/attacks.ts';
import { IS_LONG } from './support/is-long.ts';
import { noteParsedJson } from './support/parsed-json.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ log: () => {} });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterAll(async () => {
  await backend.close();
  vi.restoreAllMocks();
});

/** For one request, sender included. Without the limits a million keys took 4.4 seconds. */
const MAX_MS = 60;

type Call = { readonly path: string; readonly type?: string; readonly body: string };

const send = ({ path, type = 'application/json', body }: Call): Promise<Response> =>
  fetch(backend.url + path, {
    method: 'POST',
    headers: { apikey: backend.server.anonKey, 'content-type': type },
    body,
  });

type Answer = { readonly status: number; readonly text: string };

async function answerOf(call: Call): Promise<Answer> {
  const response = await send(call);
  return { status: response.status, text: await response.text() };
}

/** In a long run: costs little in the best of three, because a collection of garbage may fall into one. */
async function answerAtLittleCost(call: Call): Promise<Answer> {
  const answer = await answerOf(call);
  const cost = IS_LONG ? Math.min(await costOf(call), await costOf(call), await costOf(call)) : 0;
  expect(cost).toBeLessThan(MAX_MS);
  return answer;
}

async function costOf(call: Call): Promise<number> {
  const before = process.threadCpuUsage();
  await answerOf(call);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const { bytes, jsonValues, jsonDepth } = DEFAULT_LIMITS.anonymousBody;
const CALLS = [
  '/rest/v1/rpc/open_watch',
  '/rest/v1/rpc/no_such',
  '/auth/v1/signup',
  '/storage/v1/object/list/attachments',
];

/** Not supported is an answer too. */
const ANSWERED = /^(?:[24]..|501)$/;

const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

const MILLION_KEYS = jsonKeys(1_000_000);

describe('a body', () => {
  test.each(CALLS.concat('/rest/v1/workspaces'))('of a million keys to %s is refused unread', async (path) => {
    const parsed = noteParsedJson();
    const { status, text } = await answerAtLittleCost({ path, body: MILLION_KEYS });
    expect(status).toBe(413);
    expect(text.length).toBeLessThan(500);
    expect(parsed.includes(MILLION_KEYS)).toBe(false);
  });

  test.each<[string, string]>([
    ['one value too many', jsonKeys(jsonValues)],
    ['one bracket too many', jsonNested(jsonDepth + 1)],
    ['200,000 brackets', jsonNested(200_000)],
    ['objects inside each other', objects(jsonDepth + 1)],
    ['one byte too many', JSON.stringify('x'.repeat(bytes - 1))],
    ['brackets behind a string', `["\\"",${jsonNested(jsonDepth + 1)}]`],
  ])('with %s is refused by every service', async (_, body) => {
    const parsed = noteParsedJson();
    for (const path of CALLS) {
      const { status, text } = await answerAtLittleCost({ path, body });
      expect([path, status]).toEqual([path, 413]);
      expect(text).toMatch(/A request may be at most|JSON may hold at most/);
      expect(parsed.includes(body)).toBe(false);
    }
  });

  test.each(CALLS)('longer than someone without an account may send to %s is refused', async (path) => {
    const body = JSON.stringify({ secret: 'x'.repeat(bytes) });
    expect((await send({ path, body })).status).toBe(413);
    // Without a Content-Length no one knows before the body is there.
    const headers = { apikey: backend.server.anonKey, 'content-type': 'application/json' };
    const streamed = { method: 'POST', headers, body: new Blob([body]).stream(), duplex: 'half' } as const;
    expect((await fetch(backend.url + path, streamed)).status).toBe(413);
  });

  test('whose type says that it is no JSON is looked at all the same', async () => {
    for (const type of ['application/octet-stream', 'text/plain', 'multipart/form-data; boundary=x']) {
      for (const path of CALLS) expect((await send({ path, type, body: jsonNested(jsonDepth + 1) })).status).toBe(413);
    }
  });

  test('up to the limits is parsed, and costs little', async () => {
    const most = [jsonKeys(jsonValues - 1), jsonNested(jsonDepth), JSON.stringify({ secret: 'x'.repeat(bytes - 20) })];
    const parsed = noteParsedJson();
    for (const path of CALLS) {
      for (const body of most) {
        const { status } = await answerAtLittleCost({ path, body });
        expect(String(status)).toMatch(ANSWERED);
      }
    }
    expect(most.filter((body) => !parsed.includes(body))).toEqual([]);
  });

  test('of a signed-in person may be a snapshot, but not a million keys either', async () => {
    const { client } = await backend.signUp();
    const document = '00000000-0000-4000-8000-000000000000';
    const args = { document, session: document, seq: 1, data: 'x'.repeat(27 * 1024 * 1024) };
    const { status, error } = await client.rpc('save_snapshot', args);
    expect([status, error?.code]).not.toContain('413');
    const many = await client.rpc('save_snapshot', { document, list: Array.from({ length: 100_000 }, () => 0) });
    expect(many.error).toMatchObject({ code: '413', message: expect.stringContaining('20000 values') });
  });
});
