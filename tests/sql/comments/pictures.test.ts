// Pictures in comments: who adds and sees them, which a comment may have, and when they are removed. The statements on
// storage.objects are those of Storage, under the caller's policies.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { beginThread, change, listComments, present, reply, saying } from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { CALLERS, type CallerName, type WorkspaceFixture, attach } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const UPLOAD = { 'content-type': 'image/png', 'content-length': '12', 'cache-control': 'private, no-store' };

const request = (sql: Sql, operation: string, headers: Record<string, string> = {}) =>
  sql.rows(`select set_config('storage.operation', $1, true), set_config('request.headers', $2, true)`, [
    operation,
    JSON.stringify(headers),
  ]);

async function sees(sql: Sql, caller: Caller, document: string, id: string, headers: Record<string, string> = {}) {
  await request(sql, 'object.get_authenticated', headers);
  const found = await sql.as(caller, 'select from storage.objects where name = $1', [`${document}/${id}`]);
  return found.length > 0;
}

async function upload(sql: Sql, caller: Caller, document: string, id: string, suffix = '') {
  await request(sql, 'object.upload', UPLOAD);
  await sql.as(caller, `insert into storage.objects (bucket_id, name) values ('attachments', $1) returning name`, [
    `${document}/${id}${suffix}`,
  ]);
}

async function register(sql: Sql, by: Caller, document: string, about: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const args = { id, document, name: 'swan.png', mime: 'image/png', bytes: 12, ...about };
  await sql.call(by, 'create_comment_picture', args);
  return id;
}

async function addPicture(sql: Sql, by: Caller, document: string): Promise<string> {
  const id = await register(sql, by, document);
  await upload(sql, by, document, id);
  return id;
}

const picture = (id: string, about: Record<string, unknown> = {}) => ({
  kind: 'picture',
  picture: id,
  width: 640,
  height: 480,
  alt: 'The light at night',
  ...about,
});
const showing = (...ids: readonly string[]) => JSON.stringify(ids.map((id) => picture(id)));

const seenBy = async (sql: Sql, { people }: WorkspaceFixture, document: string, id: string): Promise<CallerName[]> => {
  const seeing: CallerName[] = [];
  for (const name of CALLERS) {
    const caller = name === 'anon' || name === 'service' ? name : people[name];
    if (name !== 'service' && (await sees(sql, caller, document, id))) seeing.push(name);
  }
  return seeing;
};

const COMMENTERS = [
  'redeemedCommenter',
  'redeemedEditor',
  'commenter',
  'editor',
  'manager',
  'member',
  'admin',
  'owner',
];

test(
  'a picture is its author’s until it is sent with a comment; then those see it who read the comments',
  withWorkspace(async (sql, fixture) => {
    const { page, people, links } = fixture;
    const { commenter, owner, viewer } = people;
    const id = await addPicture(sql, commenter, page);
    expect(await seenBy(sql, fixture, page, id)).toEqual(['commenter']);
    await beginThread(sql, commenter, page, { body: showing(id) });
    expect((await seenBy(sql, fixture, page, id)).toSorted()).toEqual([...COMMENTERS, 'viewer'].toSorted());
    const byLink = () => sees(sql, 'anon', page, id, { 'x-weft-link': links.viewer.secret });
    expect(await byLink()).toBe(false);
    const setReaders = (readers: string) => sql.call(owner, 'set_comment_readers', { document: page, readers });
    await setReaders('commenters');
    expect((await seenBy(sql, fixture, page, id)).toSorted()).toEqual(COMMENTERS.toSorted());
    expect(await sees(sql, viewer, page, id, { 'x-weft-link': links.viewer.secret })).toBe(false);
    await setReaders('everyone');
    expect(await byLink()).toBe(true);
    expect(await sees(sql, 'anon', page, id, { 'x-weft-link': links.commenter.secret })).toBe(false);
  }),
);

test(
  'whoever may comment uploads, once and only the own picture; whoever lost that right does not',
  withWorkspace(async (sql, { page, people }) => {
    const { commenter, editor, manager, owner, viewer } = people;
    const id = await register(sql, commenter, page);
    const outcome = (by: Caller, of: string) => sql.outcome(() => upload(sql, by, page, of));
    expect([await outcome(editor, id), await outcome(manager, id)]).toEqual(['42501', '42501']);
    await upload(sql, commenter, page, id);
    expect(await outcome(commenter, id), 'again').toBe('23505');
    await upload(sql, commenter, page, id, '.small');
    for (const by of [commenter, editor, owner]) {
      await request(sql, 'object.delete');
      expect(await sql.as(by, 'delete from storage.objects where name = $1 returning name', [`${page}/${id}`])).toEqual(
        [],
      );
    }
    const late = await register(sql, commenter, page);
    await sql.call(owner, 'set_document_member', { document: page, person: commenter.id, role: 'viewer' });
    expect(await outcome(commenter, late)).toBe('42501');
    const args = { id: randomUUID(), document: page, name: 'a.png', mime: 'image/png', bytes: 1 };
    expect(await sql.outcome(() => sql.call(viewer, 'create_comment_picture', args))).toBe('WF002');
  }),
);

test(
  'a comment has only pictures that its author added for comments of this page, each in one comment',
  withWorkspace(async (sql, { page, subpage, people, attachment }) => {
    const { commenter, editor } = people;
    const outcome = (body: string) => sql.outcome(() => beginThread(sql, editor, page, { body }));
    const theirs = await addPicture(sql, commenter, page);
    const elsewhere = await addPicture(sql, editor, subpage);
    const own = await addPicture(sql, editor, page);
    const ofPage = await attach(sql, editor, page);
    for (const id of [theirs, elsewhere, attachment, ofPage, randomUUID()])
      expect(await outcome(showing(id))).toBe('WF005');
    expect(await outcome(showing(own, own))).toBe('WF005');
    const { comment } = await beginThread(sql, editor, page, { body: showing(own) });
    expect(await outcome(showing(own)), 'in a second comment').toBe('WF005');
    await change(sql, editor, 'edit_comment', { comment, body: showing(own) });
    const again = { id: own, document: page, name: 'swan.png', mime: 'image/png', bytes: 12 };
    expect(await sql.outcome(() => sql.call(editor, 'create_comment_picture', again))).toBe('ok');
    expect(await sql.outcome(() => sql.call(editor, 'create_attachment', again))).toBe('WF005');
    expect(await sql.outcome(() => sql.call(editor, 'create_comment_picture', { ...again, id: ofPage }))).toBe('WF005');
    const copy = { attachment: own, document: page, id: randomUUID() };
    expect(await sql.outcome(() => sql.call(editor, 'copy_attachment', copy))).toBe('WF001');
  }),
);

test.each<[string, unknown]>([
  ['an address', { picture: 'https://example.org/a.png' }],
  ['a script', { picture: 'javascript:alert(1)' }],
  ['data', { picture: 'data:image/svg+xml,<svg/>' }],
  ['a path', { picture: '../a' }],
  ['no number', { width: '640' }],
  ['no size', { width: 0 }],
  ['a negative size', { height: -1 }],
  ['a fraction', { height: 1.5 }],
  ['more pixels than a page draws', { width: 100_000, height: 641 }],
  ['a long text', { alt: 'a'.repeat(501) }],
  ['no text', { alt: null }],
  ['another member', { src: 'https://example.org/a.png' }],
  ['words', { runs: [{ text: 'Words' }] }],
])('a picture with %s is refused', (_, about) =>
  withWorkspace(async (sql, { page, people: { commenter } }) => {
    const id = await addPicture(sql, commenter, page);
    const body = JSON.stringify([picture(id, Object(about))]);
    expect(await sql.outcome(() => beginThread(sql, commenter, page, { body }))).toBe('WF005');
  })(),
);

test(
  'no more than four, and only types that are drawn as pictures',
  withWorkspace(async (sql, { page, people: { commenter } }) => {
    const ids: string[] = [];
    for (let nth = 0; nth < 5; nth++) ids.push(await addPicture(sql, commenter, page));
    expect(await sql.outcome(() => beginThread(sql, commenter, page, { body: showing(...ids) }))).toBe('WF021');
    await beginThread(sql, commenter, page, { body: showing(...ids.slice(1)) });
    for (const mime of ['image/svg+xml', 'text/html', 'application/pdf', null])
      expect(await sql.outcome(() => register(sql, commenter, page, { mime }))).toBe('WF005');
  }),
);

const attachmentState = async (sql: Sql, id: string) => {
  const [row] = await sql.rows<{ isUnreferenced: boolean; isPurged: boolean }>(
    `select unreferenced_at is not null as "isUnreferenced", purged_at is not null as "isPurged"
     from public.attachments where id = $1`,
    [id],
  );
  return row;
};

test(
  'a picture that an edit takes out is its author’s alone, and may be put back; with a deleted comment it goes at once',
  withWorkspace(async (sql, { page, people: { commenter, editor, manager } }) => {
    const id = await addPicture(sql, commenter, page);
    const { comment, thread } = await beginThread(sql, commenter, page, { body: showing(id) });
    await reply(sql, editor, thread);
    // The page's own list of files says nothing of it.
    await sql.call(editor, 'set_document_attachments', { document: page, seq: 1, ids: [] });
    expect(await attachmentState(sql, id)).toEqual({ isUnreferenced: false, isPurged: false });
    await change(sql, commenter, 'edit_comment', { comment, body: saying('Without it') });
    expect(await attachmentState(sql, id)).toEqual({ isUnreferenced: true, isPurged: false });
    expect([await sees(sql, editor, page, id), await sees(sql, commenter, page, id)]).toEqual([false, true]);
    await sql.call(editor, 'set_document_attachments', { document: page, seq: 1, ids: [id] });
    expect(await sees(sql, editor, page, id), 'as a file of the page').toBe(false);
    await change(sql, commenter, 'edit_comment', { comment, body: showing(id) });
    expect(await sees(sql, editor, page, id)).toBe(true);
    await change(sql, manager, 'delete_comment', { comment });
    expect(await attachmentState(sql, id)).toEqual({ isUnreferenced: false, isPurged: true });
    expect([await sees(sql, editor, page, id), await sees(sql, commenter, page, id)]).toEqual([false, false]);
    expect(await sql.call(commenter, 'purge_attachments', {})).toEqual({ names: [`${page}/${id}`] });
  }),
);

test(
  'a picture that was never sent is removed after 30 days, and with its page every picture',
  withWorkspace(async (sql, { page, subpage, people: { owner } }) => {
    const [unsent, sent, below] = [
      await addPicture(sql, owner, page),
      await addPicture(sql, owner, page),
      await addPicture(sql, owner, subpage),
    ];
    await beginThread(sql, owner, page, { body: showing(sent) });
    await beginThread(sql, owner, subpage, { body: showing(below) });
    await sql.rows(`update public.attachments set unreferenced_at = now() - interval '31 days' where id = $1`, [
      unsent,
    ]);
    await sql.call(owner, 'trash_document', { document: subpage });
    await sql.call(owner, 'purge_document', { document: subpage });
    const { names } = Object(await sql.call(owner, 'purge_attachments', {}));
    expect(names).toContain(`${page}/${unsent}`);
    expect(names).toContain(`${subpage}/${below}`);
    expect(names).not.toContain(`${page}/${sent}`);
  }),
);

test(
  'a comment may be pictures alone: notifications and the thread say so, and a link to watch gets no name',
  withWorkspace(async (sql, { page, people: { commenter, editor, owner }, links }) => {
    const [one, two] = [await addPicture(sql, editor, page), await addPicture(sql, editor, page)];
    const { thread } = await beginThread(sql, commenter, page);
    const excerpt = async () => {
      const [row] = await sql.rows<{ excerpt: string }>(
        `select detail ->> 'excerpt' as excerpt from weft.notifications where user_id = $1 and detail ->> 'comment' is not null
         order by at desc, id desc limit 1`,
        [commenter.id],
      );
      return row?.excerpt;
    };
    const { comment } = await reply(sql, editor, thread, showing(one));
    expect(await excerpt()).toBe('A picture');
    const body = JSON.stringify([{ kind: 'paragraph', runs: [{ text: ' ' }] }, picture(one), picture(two)]);
    await change(sql, editor, 'edit_comment', { comment, body });
    expect(await excerpt()).toBe('2 pictures');
    const found = (await listComments(sql, owner, page)).threads.find(({ id }) => id === thread);
    expect(found && present({ thread: found }).comments.at(-1)?.body).toEqual(JSON.parse(body));
    await sql.call(owner, 'set_comment_readers', { document: page, readers: 'everyone' });
    const watched = await sql.call('anon', 'list_link_comments', { secret: links.viewer.secret });
    expect(JSON.stringify(watched)).toContain(one);
    const mentioning = JSON.stringify([...JSON.parse(saying('Look', owner)), picture(one)]);
    await change(sql, editor, 'edit_comment', { comment, body: mentioning });
    const unnamed = JSON.stringify(await sql.call('anon', 'list_link_comments', { secret: links.viewer.secret }));
    expect(unnamed).toContain('@someone');
    expect(unnamed).toContain('"alt":"The light at night"');
  }),
);

test(
  'pictures of comments count as files of their author',
  withWorkspace(async (sql, { page, people: { commenter } }) => {
    await sql.rows(`update weft.settings set quotas = '{"file_bytes": [20, 20]}'`);
    await register(sql, commenter, page);
    expect(await sql.outcome(() => register(sql, commenter, page))).toBe('WF017');
  }),
);
