// A server, or someone in its place, may answer a download with a compressed body. The unfolded size is limited.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { supabaseLinkFiles } from '../../../src/platform/supabase/attachments.ts';
import { MAX_ATTACHMENT_BYTES } from '../../../src/protocol/attachment.ts';
import { parseAttachmentId, parseLinkSecret } from '../../../src/protocol/ids.ts';

const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('malformed');
  return value;
};
const ID = '00000009-0000-4000-8000-000000000009';
const SECRET = required(parseLinkSecret('A'.repeat(22)));

let size = 0;
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' });
  response.end(gzipSync(Buffer.alloc(size), { level: 1 }));
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

test('a download of more than the largest upload is stopped, also if it came as a few kilobytes', async () => {
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const files = supabaseLinkFiles({ url, anonKey: 'key' }, SECRET, async () => required(parseDocumentId(ID)));
  const download = () => files.download(required(parseAttachmentId(ID)), 'original');
  size = MAX_ATTACHMENT_BYTES;
  const largest = await download();
  expect(largest).toMatchObject({ ok: true });
  expect(largest.ok && [largest.value.size, largest.value.type]).toEqual([MAX_ATTACHMENT_BYTES, 'image/png']);
  size = MAX_ATTACHMENT_BYTES + 1;
  expect(await download()).toMatchObject({ ok: false, error: { code: 'WF011' } });
});
