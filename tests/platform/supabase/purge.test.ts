// Deleting unused files: the server names at most 300 objects at once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { supabaseAttachments } from '../../../src/platform/supabase/attachments.ts';

const AT_ONCE = 3;
let stored: string[] = [];
let canDelete = true;
let calls = 0;
const server = createServer((request, response) => {
  void (async () => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/rest/v1/rpc/purge_attachments') {
      calls += 1;
      return response.end(JSON.stringify({ names: stored.slice(0, AT_ONCE) }));
    }
    const { prefixes } = (await json(request)) as { prefixes: string[] };
    if (canDelete) stored = stored.filter((name) => !prefixes.includes(name));
    return response.end('[]');
  })();
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());
beforeEach(() => {
  calls = 0;
  stored = Array.from({ length: 2 * AT_ONCE + 1 }, (_, n) => `page/file-${n}`);
});

function purge() {
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return supabaseAttachments(createClient(url, 'key'), { url, anonKey: 'key' }).purge();
}

test('one purge deletes all objects that the server names, and asks once more for their records', async () => {
  expect(await purge()).toEqual({ ok: true, value: undefined });
  expect([stored, calls]).toEqual([[], 4]);
});

test('a server that deletes nothing is not asked for ever', async () => {
  canDelete = false;
  expect(await purge()).toEqual({ ok: true, value: undefined });
  expect(calls).toBe(11);
});
