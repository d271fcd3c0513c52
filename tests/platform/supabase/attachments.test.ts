// Files without a token: neither an upload nor a download rejects.
import { AuthRetryableFetchError, createClient } from '@supabase/supabase-js';
import { expect, test, vi } from 'vitest';
import { parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { supabaseAttachments } from '../../../src/platform/supabase/attachments.ts';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('malformed id');
  return value;
};
const file = { document: must(parseDocumentId(ID)), id: must(parseAttachmentId(ID)) };

function signedOut() {
  const client = createClient('http://127.0.0.1:9', 'key', { auth: { persistSession: false } });
  const files = supabaseAttachments(client, { url: 'http://127.0.0.1:9', anonKey: 'key' });
  const original = { version: 'original', blob: new Blob(['bytes']) } as const;
  return {
    getSession: vi.spyOn(client.auth, 'getSession'),
    upload: () => files.upload(file, original, () => undefined, new AbortController().signal),
    download: () => files.ofDocument(file.document).download(file.id, 'original'),
  };
}

test('without access to the stored sign-in, the server counts as unreachable', async () => {
  const { getSession, upload, download } = signedOut();
  getSession.mockRejectedValue(new Error('storage is blocked'));
  const unreachable = { ok: false, error: { code: 'WF011', detail: 'Error: storage is blocked' } };
  expect([await upload(), await download()]).toMatchObject([unreachable, unreachable]);
});

test('an upload without a sign-in is not sent, because Storage would refuse it for good', async () => {
  const { upload } = signedOut();
  expect(await upload()).toMatchObject({ ok: false, error: { code: 'WF003' } });
});

test('while the sign-in cannot be renewed, the server counts as unreachable', async () => {
  const { getSession, upload, download } = signedOut();
  getSession.mockResolvedValue({ data: { session: null }, error: new AuthRetryableFetchError('no network', 0) });
  const unreachable = { ok: false, error: { code: 'WF011' } };
  expect([await upload(), await download()]).toMatchObject([unreachable, unreachable]);
});
