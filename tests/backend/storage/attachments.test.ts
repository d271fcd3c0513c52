// Attachments in the backend's Storage, with the app's client: the right to read them, copying, and removing unused ones.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAnswer } from 'weft-sync/protocol/answers.ts';
import { parseDocumentId } from 'weft-sync/protocol/ids.ts';
import { supabaseAttachments, supabaseLinkFiles } from '../../../src/platform/supabase/attachments.ts';
import { createdLink } from '../../../src/protocol/answers.ts';
import { objectPath } from '../../../src/protocol/attachment.ts';
import { parseAttachmentId } from '../../../src/protocol/ids.ts';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { uploadAttachment } from '../../support/server/upload-attachment.ts';

let backend: TestBackend;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  backend = await startTestBackend();
  [alice, bob] = [await backend.signUp(), await backend.signUp()];
});
afterAll(() => backend.close());

const required = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('nothing there');
  return value;
};
const project = () => ({ url: backend.url, anonKey: backend.server.anonKey });
const filesOf = ({ client }: Person) => supabaseAttachments(client, project());
const newId = () => required(parseAttachmentId(randomUUID()));

async function newPage(person: Person) {
  const document = required(parseDocumentId(randomUUID()));
  const { error } = await person.client.rpc('create_workspace', { id: randomUUID(), name: 'Harbour', document });
  expect(error).toBeNull();
  return document;
}

async function attach(
  person: Person,
  document: Awaited<ReturnType<typeof newPage>>,
  text = 'bytes',
  type = 'image/png',
) {
  const id = newId();
  const made = await filesOf(person).create({ document, id }, { name: 'swan.png', mime: type, bytes: text.length });
  expect(made).toEqual({ ok: true, value: undefined });
  const answer = await uploadAttachment(backend, person, objectPath(document, id), new Blob([text], { type }));
  return { id, refusal: answer.status === 200 ? null : answer.text };
}

const textOrError = async (
  answer: Promise<{ readonly ok: boolean; readonly value?: Blob; readonly error?: { readonly code: string } }>,
) => {
  const { value, error } = await answer;
  return value === undefined ? required(error).code : value.text();
};

test('only people who may see the page get the bytes, and an upload needs a registered attachment', async () => {
  const document = await newPage(alice);
  const { id, refusal } = await attach(alice, document);
  expect(refusal).toBeNull();
  expect(await textOrError(filesOf(alice).ofDocument(document).download(id, 'original'))).toBe('bytes');
  expect(await textOrError(filesOf(alice).ofDocument(document).download(id, 'small'))).toBe('WF001');
  expect(await textOrError(filesOf(bob).ofDocument(document).download(id, 'original'))).toBe('WF001');
  const other = new Blob(['other'], { type: 'image/png' });
  const stray = await uploadAttachment(backend, alice, `${document}/${randomUUID()}`, other);
  expect(stray.text).toContain('row-level security');
  const replaced = await uploadAttachment(backend, alice, objectPath(document, id), other, { 'x-upsert': 'true' });
  expect(replaced.text).toContain('row-level security');
  expect(await textOrError(filesOf(alice).ofDocument(document).download(id, 'original'))).toBe('bytes');
});

test('a file that a browser could run is not accepted under its own type', async () => {
  const document = await newPage(alice);
  for (const type of ['image/svg+xml', 'text/html', 'application/javascript']) {
    expect((await attach(alice, document, '<svg/>', type)).refusal).toMatch(/row-level security/i);
  }
  expect((await attach(alice, document, '<svg/>', 'application/octet-stream')).refusal).toBeNull();
});

test('a watcher with a share link gets the page’s attachments without an account, until the link is revoked', async () => {
  const [document, other] = [await newPage(alice), await newPage(alice)];
  const [{ id }, elsewhere] = [await attach(alice, document), await attach(alice, other)];
  const answer = await alice.client.rpc('create_share_link', { document, role: 'viewer', expires_at: null });
  const link = parseAnswer(createdLink, answer.data);
  if (!link.ok) throw new Error(link.error.detail);
  const files = supabaseLinkFiles(project(), link.value.secret, async () => document);
  expect(await textOrError(files.download(id, 'original'))).toBe('bytes');
  expect(await textOrError(files.download(elsewhere.id, 'original'))).toBe('WF001');
  expect(
    await textOrError(
      filesOf({ ...bob, client: backend.anonClient() })
        .ofDocument(document)
        .download(id, 'original'),
    ),
  ).toBe('WF001');
  await alice.client.rpc('revoke_share_link', { link: link.value.link.id });
  expect(await textOrError(files.download(id, 'original'))).toBe('WF001');
  const later = supabaseLinkFiles(project(), link.value.secret, async () => null);
  expect(await textOrError(later.download(id, 'original'))).toBe('WF009');
});

test('a copy for another page has its own bytes and outlives its source; only people who see the source can copy it', async () => {
  const [document, other] = [await newPage(alice), await newPage(alice)];
  const { id } = await attach(alice, document);
  const copy = { document: other, id: newId() };
  const files = filesOf(alice);
  expect(await files.copy({ document, id }, copy)).toEqual({ ok: true, value: undefined });
  expect(await files.copy({ document, id }, copy), 'once more').toEqual({ ok: true, value: undefined });
  expect(await textOrError(files.ofDocument(other).download(copy.id, 'original'))).toBe('bytes');
  const stolen = await filesOf(bob).copy({ document, id }, { document: await newPage(bob), id: newId() });
  expect(stolen).toMatchObject({ ok: false, error: { code: 'WF001' } });
  await backend.pg.query('delete from public.documents where id = $1', [document]);
  await files.purge();
  expect(await textOrError(files.ofDocument(document).download(id, 'original'))).toBe('WF001');
  expect(await textOrError(files.ofDocument(other).download(copy.id, 'original'))).toBe('bytes');
});

test('an attachment that no page uses for 30 days is removed, bytes and row; the others stay', async () => {
  const document = await newPage(alice);
  const [kept, gone] = [await attach(alice, document), await attach(alice, document)];
  const files = filesOf(alice);
  expect(await files.setDocumentAttachments(document, 1, [kept.id])).toEqual({ ok: true, value: undefined });
  const text = await alice.client.rpc('save_text', { document, seq: 1, title: 'T', body_text: '' });
  expect(text.error).toBeNull();
  await files.purge();
  expect(await textOrError(files.ofDocument(document).download(gone.id, 'original'))).toBe('bytes');
  await backend.pg.query(`update public.attachments set unreferenced_at = now() - interval '31 days' where id = $1`, [
    gone.id,
  ]);
  expect(await filesOf(bob).purge()).toEqual({ ok: true, value: undefined });
  expect(await textOrError(files.ofDocument(document).download(gone.id, 'original'))).toBe('bytes');
  expect(await files.purge()).toEqual({ ok: true, value: undefined });
  expect(await textOrError(files.ofDocument(document).download(gone.id, 'original'))).toBe('WF001');
  expect(await textOrError(files.ofDocument(document).download(kept.id, 'original'))).toBe('bytes');
  const { rows } = await backend.pg.query('select id from public.attachments where document_id = $1', [document]);
  expect(rows).toEqual([{ id: kept.id }]);
  const objects = await backend.pg.query(`select name from storage.objects where name like $1`, [`${document}/%`]);
  expect(objects.rows).toEqual([{ name: objectPath(document, kept.id) }]);
});

test('the bytes of a picture in a comment: its author’s until it is sent, then the readers’; gone with the comment', async () => {
  const document = await newPage(alice);
  const [id, comment, thread] = [newId(), randomUUID(), randomUUID()];
  const files = filesOf(alice);
  const about = { name: 'swan.png', mime: 'image/png', bytes: 5, isOfComment: true };
  expect(await files.create({ document, id }, about)).toEqual({ ok: true, value: undefined });
  const bytes = new Blob(['bytes'], { type: 'image/png' });
  expect((await uploadAttachment(backend, alice, objectPath(document, id), bytes)).status).toBe(200);
  await alice.client.rpc('set_comment_readers', { document, readers: 'everyone' }).throwOnError();
  const answer = await alice.client.rpc('create_share_link', { document, role: 'viewer', expires_at: null });
  const link = parseAnswer(createdLink, answer.data);
  if (!link.ok) throw new Error(link.error.detail);
  const read = () => [
    files.ofDocument(document).download(id, 'original'),
    supabaseLinkFiles(project(), link.value.secret, async () => document).download(id, 'original'),
    filesOf(bob).ofDocument(document).download(id, 'original'),
  ];
  expect(await Promise.all(read().map(textOrError))).toEqual(['bytes', 'WF001', 'WF001']);
  const body = [{ kind: 'picture', picture: id, width: 1, height: 1, alt: '' }];
  const begun = { document, thread, comment, anchor: { kind: 'page' }, body };
  await alice.client.rpc('start_thread', begun).throwOnError();
  expect(await Promise.all(read().map(textOrError))).toEqual(['bytes', 'bytes', 'WF001']);
  await alice.client.rpc('delete_comment', { comment }).throwOnError();
  expect(await Promise.all(read().map(textOrError))).toEqual(['WF001', 'WF001', 'WF001']);
  expect(await files.purge()).toEqual({ ok: true, value: undefined });
  const objects = await backend.pg.query('select from storage.objects where name = $1', [objectPath(document, id)]);
  expect(objects.rows).toHaveLength(0);
});
