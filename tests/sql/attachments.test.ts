// Pictures and files: who may see, upload and remove objects, what a copy needs, and how unused attachments are
// removed. The statements on storage.objects are those of Storage, under the caller's policies.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Caller, Sql } from '../support/database/sql.ts';
import { useWorkspace } from './use-workspace.ts';
import { CALLERS, type CallerName, type WorkspaceFixture, attach } from './workspace-fixture.ts';

const withWorkspace = useWorkspace();

const READERS = [
  'redeemedViewer',
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

async function sees(sql: Sql, caller: Caller, name: string, headers: Record<string, string> = {}): Promise<boolean> {
  await sql.rows(`select set_config('request.headers', $1, true)`, [JSON.stringify(headers)]);
  const rows = await sql.as(caller, `select name from storage.objects where bucket_id = 'attachments' and name = $1`, [
    name,
  ]);
  return rows.length > 0;
}

const uploads = (sql: Sql, caller: Caller, name: string) =>
  sql.outcome(() => sql.as(caller, `insert into storage.objects (bucket_id, name) values ('attachments', $1)`, [name]));

async function removes(sql: Sql, caller: Caller, name: string): Promise<boolean> {
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
  'readers of a page, and nobody else, see its pictures and their smaller versions',
  withWorkspace(async (sql, fixture) => {
    for (const version of ['.view', '.small']) {
      await sql.rows(`insert into storage.objects (bucket_id, name) values ('attachments', $1)`, [
        `${pathOf(fixture)}${version}`,
      ]);
    }
    for (const version of ['', '.view', '.small']) {
      expect(await callersWho(fixture, (caller) => sees(sql, caller, `${pathOf(fixture)}${version}`))).toEqual(READERS);
    }
    // Nobody sees an object without an attachment.
    await sql.rows(`insert into storage.objects (bucket_id, name) values ('attachments', $1)`, [
      `${fixture.page}/stray`,
    ]);
    expect(await callersWho(fixture, (caller) => sees(sql, caller, `${fixture.page}/stray`))).toEqual([]);
  }),
);

test(
  'anybody with the secret of an active link sees the pictures of its page, and of no other, until it ends',
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
  'only the creator of an attachment may upload it, while they may edit the page, and nobody may replace it',
  withWorkspace(async (sql, fixture) => {
    const { editor, manager, viewer } = fixture.people;
    const id = randomUUID();
    await sql.call(editor, 'create_attachment', {
      id,
      document: fixture.page,
      name: 'a.png',
      mime: 'image/png',
      bytes: 1,
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
      user: editor.id,
      role: 'viewer',
    });
    expect(await uploads(sql, editor, pathOf(fixture, id))).toBe('42501');
    expect(await uploads(sql, viewer, pathOf(fixture, id))).toBe('42501');
  }),
);

test(
  'create_attachment refuses an id that somebody else has used, and malformed names, types and sizes',
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
    expect(await sees(sql, owner, pathOf(fixture))).toBe(true);
    expect(await removes(sql, owner, pathOf(fixture))).toBe(true);
  }),
);
