// Files and pictures of people without a token: neither an upload nor a download rejects.
import { AuthRetryableFetchError, createClient } from '@supabase/supabase-js';
import { expect, test, vi } from 'vitest';
import { parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { supabaseAttachments } from '../../../src/platform/supabase/attachments.ts';
import { supabaseOwnAccount } from '../../../src/platform/supabase/own-account.ts';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const must = <T>(value: T | null): T => {
  if (value === null) throw new Error('malformed id');
  return value;
};
const file = { document: must(parseDocumentId(ID)), id: must(parseAttachmentId(ID)) };

function signedOut() {
  const client = createClient('http://127.0.0.1:9', 'key', { auth: { persistSession: false } });
  const project = { url: 'http://127.0.0.1:9', anonKey: 'key' };
  const files = supabaseAttachments(client, project);
  const account = supabaseOwnAccount(client, project, must(parseUserId(ID)));
  const original = { version: 'original', blob: new Blob(['bytes']) } as const;
  return {
    getSession: vi.spyOn(client.auth, 'getSession'),
    upload: () => files.upload(file, original, () => undefined, new AbortController().signal),
    setPicture: () => account.setPicture({ displayName: 'Ada', color: 'weld' }, new Blob(['bytes'])),
    download: () => files.ofDocument(file.document).download(file.id, 'original'),
  };
}

test('without access to the stored sign-in, the server counts as unreachable', async () => {
  const { getSession, upload, setPicture, download } = signedOut();
  getSession.mockRejectedValue(new Error('storage is blocked'));
  const unreachable = { ok: false, error: { code: 'WF011', detail: 'Error: storage is blocked' } };
  expect([await upload(), await setPicture(), await download()]).toMatchObject([unreachable, unreachable, unreachable]);
});

test.each([
  ['no answer', () => Promise.reject(new TypeError('failed to fetch')), 'WF011'],
  ['a server that is starting', () => Promise.resolve(new Response('', { status: 503 })), 'WF011'],
  [
    'a refusal',
    () => Promise.resolve(Response.json({ statusCode: '404', message: 'Object not found' }, { status: 400 })),
    'WF001',
  ],
])('the picture of a person after %s', async (_why, fetch, code) => {
  const client = createClient('http://127.0.0.1:9', 'key', { auth: { persistSession: false }, global: { fetch } });
  const account = supabaseOwnAccount(client, { url: 'http://127.0.0.1:9', anonKey: 'key' }, must(parseUserId(ID)));
  expect(await account.picture('a/b')).toMatchObject({ ok: false, error: { code } });
});

test('an upload without a sign-in is not sent, because Storage would refuse it for good', async () => {
  const { upload, setPicture } = signedOut();
  const signedOutAnswer = { ok: false, error: { code: 'WF003' } };
  expect([await upload(), await setPicture()]).toMatchObject([signedOutAnswer, signedOutAnswer]);
});

test('while the sign-in cannot be renewed, the server counts as unreachable', async () => {
  const { getSession, upload, download } = signedOut();
  getSession.mockResolvedValue({ data: { session: null }, error: new AuthRetryableFetchError('no network', 0) });
  const unreachable = { ok: false, error: { code: 'WF011' } };
  expect([await upload(), await download()]).toMatchObject([unreachable, unreachable]);
});
