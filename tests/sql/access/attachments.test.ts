// Pictures and files: who may see, upload and remove objects, what a copy needs, and how unused attachments are
// removed. The statements on storage.objects are those of Storage, under the caller's policies.
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { CALLERS, type CallerName, type WorkspaceFixture, attach } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const READERS = [
  'redeemedCommenter',
  'redeemedEditor',
  'viewer',
  'commenter',
  'editor',
  'manager',
  'member',
  'admin',
  'owner',
];

type Headers = Readonly<Record<string, string>>;

/** Sets what Storage tells the database about a request. */
const request = (sql: Sql, operation: string, headers: Headers = {}) =>
  sql.rows(`select set_config('storage.operation', $1, true), set_config('request.headers', $2, true)`, [
    operation,
    JSON.stringify(headers),
  ]);

async function sees(
  sql: Sql,
  caller: Caller,
  name: string,
  headers: Headers = {},
  operation = 'storage.object.get_authenticated',
): Promise<boolean> {
  await request(sql, operation, headers);
  const rows = await sql.as(caller, `select name from storage.objects where bucket_id = 'attachments' and name = $1`, [
    name,
  ]);
  return rows.length > 0;
}

/** The headers of an upload by the app. */
const UPLOAD: Headers = { 'content-type': 'image/png', 'content-length': '12', 'cache-control': 'private, no-store' };

async function inserts(sql: Sql, caller: Caller, name: string, metadata: unknown = null): Promise<string> {
  return sql.outcome(() =>
    sql.as(
      caller,
      `insert into storage.objects (bucket_id, name, metadata) values ('attachments', $1, $2) returning name`,
      [name, metadata],
    ),
  );
}

async function uploads(sql: Sql, caller: Caller, name: string, headers: Headers = UPLOAD): Promise<string> {
  await request(sql, 'storage.object.upload', headers);
  return inserts(sql, caller, name);
}

async function removes(sql: Sql, caller: Caller, name: string): Promise<boolean> {
  await request(sql, 'storage.object.delete_many');
  await sql.rows('savepoint removal');
  const removed = await sql.as(caller, 'delete from storage.objects where name = $1 returning name', [name]);
  await sql.rows('rollback to savepoint removal');
  return removed.length > 0;
}

async function callersWho(
  fixture: WorkspaceFixture,
  may: (caller: Caller) => Promise<boolean>,
): Promise<readonly CallerName[]> {
  const found: CallerName[] = [];
  for (const name of CALLERS) if (name !== 'service' && (await may(fixture.caller(name)))) found.push(name);
  return found;
}

const pathOf = (fixture: WorkspaceFixture, id: string = fixture.attachment) => `${fixture.page}/${id}`;

test(
  'readers of a page, and no one else, see its pictures and their smaller versions',
  withWorkspace(async (sql, fixture) => {
    for (const version of ['.view', '.small']) {
      await sql.rows(`insert into storage.objects (bucket_id, name) values ('attachments', $1)`, [
        `${pathOf(fixture)}${version}`,
      ]);
    }
    for (const version of ['', '.view', '.small']) {
      expect(await callersWho(fixture, (caller) => sees(sql, caller, `${pathOf(fixture)}${version}`))).toEqual(READERS);
    }
    // No one sees an object without an attachment.
    await sql.rows(`insert into storage.objects (bucket_id, name) values ('attachments', $1)`, [
      `${fixture.page}/stray`,
    ]);
    expect(await callersWho(fixture, (caller) => sees(sql, caller, `${fixture.page}/stray`))).toEqual([]);
  }),
);

test(
  'anyone with the secret of an active link sees the pictures of its page, and of no other, until it ends',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const header = { 'x-weft-link': fixture.links.viewer.secret };
    expect(await callersWho(fixture, (caller) => sees(sql, caller, pathOf(fixture), header))).toEqual(
      CALLERS.filter((name) => name !== 'service'),
    );
    const other = await attach(sql, owner, fixture.subpage);
    expect(await sees(sql, 'anon', `${fixture.subpage}/${other}`, header)).toBe(false);
    for (const wrong of [
      {},
      { 'x-weft-link': 'A'.repeat(22) },
      { 'x-weft-link': '' },
      { link: header['x-weft-link'] },
      // Before they sign in, people with these learn the page's name alone.
      { 'x-weft-link': fixture.links.editor.secret },
      { 'x-weft-link': fixture.links.commenter.secret },
    ]) {
      expect(await sees(sql, 'anon', pathOf(fixture), { ...wrong })).toBe(false);
    }
    await sql.rows(`select set_config('request.headers', '', true)`);
    expect(
      await sql.as('anon', `select name from storage.objects where name = $1`, [pathOf(fixture)]),
      'without any header',
    ).toEqual([]);
    await sql.call(owner, 'revoke_share_link', { link: fixture.links.viewer.id });
    expect(await sees(sql, 'anon', pathOf(fixture), header)).toBe(false);
  }),
);

test(
  'only the creator of an attachment may upload it, while they may edit the page, and no one may replace it',
  withWorkspace(async (sql, fixture) => {
    const { editor, manager, viewer } = fixture.people;
    const id = randomUUID();
    await sql.call(editor, 'create_attachment', {
      id,
      document: fixture.page,
      name: 'a.png',
      mime: 'image/png',
      bytes: 12,
    });
    const may: string[] = [];
    for (const name of CALLERS) {
      if (name !== 'service' && (await uploads(sql, fixture.caller(name), pathOf(fixture, id))) === 'ok')
        may.push(name);
    }
    expect(may).toEqual(['editor']);
    expect(await uploads(sql, editor, `${pathOf(fixture, id)}.small`)).toBe('ok');
    for (const name of [
      `${pathOf(fixture, id)}.exe`,
      `${fixture.page}/${randomUUID()}`,
      `${fixture.subpage}/${id}`,
      id,
      '',
    ]) {
      expect([name, await uploads(sql, editor, name)]).toEqual([name, '42501']);
    }
    const update = `update storage.objects set version = 'x' where name = $1 returning name`;
    expect(await sql.as(editor, update, [pathOf(fixture)])).toEqual([]);
    expect(await sql.as(manager, update, [pathOf(fixture)])).toEqual([]);
    await sql.call(fixture.people.owner, 'set_document_member', {
      document: fixture.page,
      person: editor.id,
      role: 'viewer',
    });
    expect(await uploads(sql, editor, pathOf(fixture, id))).toBe('42501');
    expect(await uploads(sql, viewer, pathOf(fixture, id))).toBe('42501');
  }),
);

test(
  'create_attachment refuses an id that someone else has used, and malformed names, types and sizes',
  withWorkspace(async (sql, fixture) => {
    const { editor, manager } = fixture.people;
    const id = randomUUID();
    const args = { id, document: fixture.page, name: ' swan.png ', mime: 'image/png', bytes: 12 };
    const made = await sql.call(editor, 'create_attachment', args);
    expect(made).toMatchObject({ id, path: pathOf(fixture, id), name: 'swan.png', createdBy: editor.id });
    expect(await sql.call(editor, 'create_attachment', args)).toEqual(made);
    expect((await sql.refusal(manager, 'create_attachment', args)).code).toBe('WF005');
    for (const [change, code] of [
      [{ bytes: 26_214_401 }, '23514'],
      [{ bytes: -1 }, '23514'],
      [{ name: '  ' }, '23514'],
      [{ name: 'a\nb' }, '23514'],
      [{ mime: 'picture' }, '23514'],
      [{ name: null }, '23502'],
    ] as const) {
      const wrong = { ...args, id: randomUUID(), ...change };
      expect([change, (await sql.refusal(editor, 'create_attachment', wrong)).code]).toEqual([change, code]);
    }
  }),
);

test(
  'copying needs the right to see the source and to edit the target, and the copy is visible to the target’s readers',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor, viewer, stranger } = fixture.people;
    const secret = await attach(sql, owner, fixture.secretPage);
    const copy = (attachment: string, document: string) => ({ attachment, document, id: randomUUID() });
    expect((await sql.refusal(editor, 'copy_attachment', copy(secret, fixture.page))).code).toBe('WF001');
    expect((await sql.refusal(viewer, 'copy_attachment', copy(fixture.attachment, fixture.page))).code).toBe('WF002');
    expect((await sql.refusal(stranger, 'copy_attachment', copy(fixture.attachment, fixture.page))).code).toBe('WF001');
    const args = copy(secret, fixture.page);
    expect(await sql.call(owner, 'copy_attachment', args)).toMatchObject({
      from: `${fixture.secretPage}/${secret}`,
      attachment: { id: args.id, documentId: fixture.page, path: pathOf(fixture, args.id), name: 'swan.png' },
    });
    expect(await uploads(sql, owner, pathOf(fixture, args.id))).toBe('ok');
    await sql.rows(`insert into storage.objects (bucket_id, name) values ('attachments', $1)`, [
      pathOf(fixture, args.id),
    ]);
    expect(await sees(sql, viewer, pathOf(fixture, args.id))).toBe(true);
    expect(await sees(sql, viewer, `${fixture.secretPage}/${secret}`)).toBe(false);
  }),
);

test(
  'an attachment that no page has contained for 30 days is listed for members to remove, and forgotten once its object is gone',
  withWorkspace(async (sql, fixture) => {
    const { editor, owner, viewer } = fixture.people;
    const path = pathOf(fixture);
    const setAttachments = (seq: number, ids: readonly string[]) =>
      sql.call(editor, 'set_document_attachments', { document: fixture.page, seq, ids });
    const age = (days: number) =>
      sql.rows(`update public.attachments set unreferenced_at = now() - make_interval(days => $2) where id = $1`, [
        fixture.attachment,
        days,
      ]);
    const unreferenced = async () =>
      (
        await sql.row<{ at: unknown }>('select unreferenced_at as at from public.attachments where id = $1', [
          fixture.attachment,
        ])
      ).at !== null;

    expect(await setAttachments(1, [fixture.attachment])).toEqual({ attachmentsSeq: 1 });
    expect(await unreferenced()).toBe(false);
    expect(await setAttachments(2, [])).toEqual({ attachmentsSeq: 2 });
    expect(await unreferenced()).toBe(true);
    expect(await setAttachments(1, [fixture.attachment]), 'an older seq').toEqual({ attachmentsSeq: 2 });
    expect(await unreferenced()).toBe(true);
    expect(
      (await sql.refusal(editor, 'set_document_attachments', { document: fixture.page, seq: 3, ids: [] })).code,
    ).toBe('22023');

    await age(29);
    expect(await sql.call(owner, 'purge_attachments', {})).toEqual({ names: [] });
    expect(await removes(sql, owner, path)).toBe(false);
    // After an undo the page contains it again, so it stays.
    await setAttachments(2, [fixture.attachment]);
    expect(await sql.call(owner, 'purge_attachments', {})).toEqual({ names: [] });
    await setAttachments(2, []);
    await age(31);
    // The page has newer rows than its list of attachments covers: the list is sent before the copy of the text.
    expect(await sql.call(owner, 'purge_attachments', {}), 'a page that may contain it again').toEqual({ names: [] });
    await sql.call(editor, 'save_text', { document: fixture.page, seq: 2, title: 'T', body_text: '' });
    expect(await sql.call(viewer, 'purge_attachments', {}), 'no member of the workspace').toEqual({ names: [] });
    expect(await sql.call(owner, 'purge_attachments', {})).toEqual({ names: [path] });
    expect(await callersWho(fixture, (caller) => removes(sql, caller, path))).toEqual([
      'editor',
      'member',
      'admin',
      'owner',
    ]);
    expect(await sees(sql, viewer, path), 'being removed').toBe(false);
    await request(sql, 'storage.object.delete_many');
    await sql.as(owner, 'delete from storage.objects where name = $1', [path]);
    expect(await sql.call(owner, 'purge_attachments', {})).toEqual({ names: [] });
    expect(await sql.rows('select id from public.attachments where id = $1', [fixture.attachment])).toEqual([]);
  }),
);

test(
  'the attachments of a page that was deleted for good are removed at once',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    await sql.rows('delete from public.documents where id = $1', [fixture.page]);
    expect(await sql.call(owner, 'purge_attachments', {})).toEqual({ names: [pathOf(fixture)] });
    expect(await sees(sql, owner, pathOf(fixture))).toBe(false);
    expect(await removes(sql, owner, pathOf(fixture))).toBe(true);
  }),
);

test(
  'a member without a role on a restricted page neither reads nor removes its files, whatever is due for removal',
  withWorkspace(async (sql, fixture) => {
    const { owner, member } = fixture.people;
    const id = await attach(sql, owner, fixture.secretPage);
    const path = `${fixture.secretPage}/${id}`;
    const read = async () => [await sees(sql, member, path), await sees(sql, owner, path)];
    expect(await read()).toEqual([false, true]);
    await sql.rows(`update public.attachments set unreferenced_at = now() - interval '31 days' where id = $1`, [id]);
    expect(await sql.call(member, 'purge_attachments', {})).toEqual({ names: [] });
    await sql.rows('update public.attachments set purged_at = now() where id = $1', [id]);
    expect(await read()).toEqual([false, false]);
    expect([await removes(sql, member, path), await removes(sql, owner, path)]).toEqual([false, true]);
    // When the page is gone, every member may clear up after it, but not look at what they remove.
    await sql.rows('delete from public.documents where id = $1', [fixture.secretPage]);
    expect(await sql.call(member, 'purge_attachments', {})).toEqual({ names: [path] });
    expect(await read()).toEqual([false, false]);
    expect(await removes(sql, member, path)).toBe(true);
  }),
);

test(
  'Storage’s calls that Weft does not make see no object: a signed address would outlive the right to read',
  withWorkspace(async (sql, fixture) => {
    const seen = async (operation: string) => sees(sql, fixture.people.owner, pathOf(fixture), {}, operation);
    for (const operation of ['get_authenticated', 'copy', 'upload']) {
      expect(await seen(`storage.object.${operation}`)).toBe(true);
      expect(await seen(`object.${operation}`)).toBe(true);
    }
    for (const operation of [
      '',
      'storage.object.sign',
      'storage.object.sign_many',
      'storage.object.get_signed',
      'storage.object.list',
      'storage.object.list_v2',
      'storage.object.info',
      'storage.object.move',
      'storage.object.delete',
      'storage.object.delete_many',
      'storage.object.upload_signed',
      'storage.render.image_authenticated',
      'storage.s3.object.get',
      'storage.tus.upload.create',
    ])
      expect([operation, await seen(operation)]).toEqual([operation, false]);
  }),
);

test(
  'an upload says its type and its size, both within the bucket’s rules, and is not compressed',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const id = randomUUID();
    const about = { id, document: fixture.page, name: 'a.png', mime: 'image/png', bytes: 25 * 1024 * 1024 };
    await sql.call(editor, 'create_attachment', about);
    const without = (name: string) => Object.fromEntries(Object.entries(UPLOAD).filter(([key]) => key !== name));
    const outcome = (headers: Headers) => uploads(sql, editor, pathOf(fixture, id), headers);
    expect(await outcome({ ...UPLOAD, 'content-length': String(25 * 1024 * 1024) })).toBe('ok');
    for (const headers of [
      {},
      without('content-length'),
      without('content-type'),
      without('cache-control'),
      { ...UPLOAD, 'content-length': String(25 * 1024 * 1024 + 1) },
      { ...UPLOAD, 'content-length': '99999999999999999999' },
      { ...UPLOAD, 'content-length': '-1' },
      { ...UPLOAD, 'content-length': '1.5' },
      { ...UPLOAD, 'content-type': 'multipart/form-data; boundary=x' },
      { ...UPLOAD, 'content-type': 'text/html' },
      { ...UPLOAD, 'content-encoding': 'gzip' },
      { ...UPLOAD, 'transfer-encoding': 'chunked' },
      { ...UPLOAD, 'cache-control': 'public, max-age=31536000' },
    ])
      expect([headers, await outcome(headers)]).toEqual([headers, '42501']);
    // Through S3, in parts, or with a signed address.
    for (const operation of [
      's3.object.put',
      'tus.upload.create',
      'object.upload_signed',
      'object.upload_update',
      '',
    ]) {
      await request(sql, `storage.${operation}`, UPLOAD);
      expect([operation, await inserts(sql, editor, pathOf(fixture, id))]).toEqual([operation, '42501']);
    }
  }),
);

test(
  'no object is larger than its attachment was announced, neither the file nor a smaller version nor a copy',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const id = randomUUID();
    const about = { id, document: fixture.page, name: 'a.png', mime: 'image/png', bytes: 12 };
    await sql.call(editor, 'create_attachment', about);
    for (const version of ['', '.view', '.small']) {
      const path = `${pathOf(fixture, id)}${version}`;
      expect(await uploads(sql, editor, path, { ...UPLOAD, 'content-length': '13' })).toBe('42501');
      expect(await uploads(sql, editor, path, { ...UPLOAD, 'content-length': String(25 * 1024 * 1024) })).toBe('42501');
      await request(sql, 'storage.object.copy', { 'content-type': 'application/json', 'content-length': '90' });
      expect(await inserts(sql, editor, path, { ...METADATA, size: 13 })).toBe('42501');
      expect(await uploads(sql, editor, path)).toBe('ok');
    }
  }),
);

/** The metadata that Storage stores about an upload by the app. */
const METADATA = { mimetype: 'image/png', cacheControl: 'private, no-store', size: 12, contentLength: 12 };

const FORBIDDEN_METADATA: readonly Readonly<Record<string, unknown>>[] = [
  { ...METADATA, size: 62_914_560, contentLength: 62_914_560 },
  { ...METADATA, mimetype: 'text/html' },
  { ...METADATA, cacheControl: 'public, max-age=31536000' },
  { ...METADATA, contentEncoding: 'gzip' },
];

test(
  'no one reads an object that was stored against the bucket’s rules: hosted Storage writes its row without asking',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const link = { 'x-weft-link': fixture.links.viewer.secret };
    const path = pathOf(fixture);
    const store = (metadata: unknown) =>
      sql.rows('update storage.objects set metadata = $2 where name = $1', [path, metadata]);
    await store(METADATA);
    expect([await sees(sql, owner, path), await sees(sql, 'anon', path, link)]).toEqual([true, true]);
    for (const metadata of FORBIDDEN_METADATA) {
      await store(metadata);
      expect([await sees(sql, owner, path), await sees(sql, 'anon', path, link)]).toEqual([false, false]);
    }
    await sql.rows('update public.attachments set purged_at = now() where id = $1', [fixture.attachment]);
    expect(await removes(sql, owner, path), 'but it can be removed').toBe(true);
  }),
);

test(
  'a copy has a type, a size and a cache header within the rules',
  withWorkspace(async (sql, fixture) => {
    const { owner } = fixture.people;
    const { id } = await sql
      .call(owner, 'copy_attachment', { attachment: fixture.attachment, document: fixture.page, id: randomUUID() })
      .then((answer) => v.parse(v.object({ attachment: v.object({ id: v.string() }) }), answer).attachment);
    await request(sql, 'storage.object.copy', { 'content-type': 'application/json', 'content-length': '90' });
    expect(await inserts(sql, owner, pathOf(fixture, id), METADATA)).toBe('ok');
    for (const metadata of FORBIDDEN_METADATA)
      expect([metadata, await inserts(sql, owner, pathOf(fixture, id), metadata)]).toEqual([metadata, '42501']);
  }),
);
