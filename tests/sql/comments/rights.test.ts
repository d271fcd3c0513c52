// Who may read and change which comments, and attacks on that. tests/sql/matrix.test.ts has the rows of every role.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Sql } from '../../support/database/sql.ts';
import { ON_PAGE, beginThread, change, listComments, onWords, present, reply, saying } from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

type Args = Record<string, unknown>;

/** Every call that changes this thread or its comment. */
const changesOf = (thread: string, comment: string): readonly (readonly [name: string, args: Args])[] => [
  ['add_comment', { thread, comment: randomUUID(), body: saying('Me too.') }],
  ['edit_comment', { comment, body: saying('Nobody.') }],
  ['delete_comment', { comment }],
  ['resolve_thread', { thread, is_resolved: true }],
  ['set_reaction', { comment, emoji: '👍', is_set: true }],
  ['announce_reply', { thread, is_writing: true }],
  ['move_thread', { thread, anchor: JSON.stringify(onWords('light')), known: ON_PAGE }],
];

const OUTCOMES_OF_A_STRANGER = [
  ['add_comment', 'WF001'],
  ['edit_comment', 'WF001'],
  ['delete_comment', 'WF001'],
  ['resolve_thread', 'WF001'],
  ['set_reaction', 'WF001'],
  ['announce_reply', 'WF001'],
  ['move_thread', 'WF001'],
];

test(
  'a thread of a restricted page, by its id, is answered as one that does not exist',
  withWorkspace(async (sql, { secretPage, people }) => {
    const { thread, comment } = await beginThread(sql, people.owner, secretPage);
    const refusals = async (...ids: [thread: string, comment: string]) => {
      const found = [];
      for (const [name, args] of changesOf(...ids)) found.push([name, await sql.refusal(people.admin, name, args)]);
      return found;
    };
    const real = await refusals(thread, comment);
    expect(real).toEqual(await refusals(randomUUID(), randomUUID()));
    expect(real.map(([name, refusal]) => [name, Object(refusal).code])).toEqual(OUTCOMES_OF_A_STRANGER);
    for (const name of ['list_comments', 'mark_comments_read'])
      expect(
        await sql.outcome(() =>
          sql.call(people.admin, name, { document: secretPage, ...(name === 'list_comments' ? {} : { change: 1 }) }),
        ),
      ).toBe('WF001');
  }),
);

test(
  'an id that is someone else’s or of another page is refused, and what it names stays as it was',
  withWorkspace(async (sql, { page, secretPage, subpage, people, thread, comment }) => {
    const { owner, editor, commenter } = people;
    const secret = await beginThread(sql, owner, secretPage);
    const begin = (document: string, ids: { thread: string; comment: string }) =>
      sql.outcome(() =>
        sql.call(editor, 'start_thread', { document, ...ids, anchor: ON_PAGE, body: saying('Mine now') }),
      );
    const other = randomUUID();
    expect([
      await begin(page, { thread, comment }),
      await begin(page, { thread, comment: other }),
      await begin(page, { thread: other, comment }),
      await begin(page, { thread: secret.thread, comment: other }),
      await begin(page, { thread: other, comment: secret.comment }),
      await begin(page, { thread: secret.thread, comment: secret.comment }),
    ]).toEqual(Array.from({ length: 6 }, () => 'WF005'));
    const again = { thread, comment, anchor: ON_PAGE, body: saying('Moved') };
    expect(await sql.outcome(() => sql.call(people.manager, 'start_thread', { document: subpage, ...again }))).toBe(
      'WF005',
    );
    // The author of the comment, on a page where they may comment.
    await sql.call(owner, 'set_document_member', { document: subpage, person: commenter.id, role: 'commenter' });
    expect(await sql.outcome(() => sql.call(commenter, 'start_thread', { document: subpage, ...again }))).toBe('WF005');
    const { thread: second } = await beginThread(sql, editor, page);
    expect(
      await sql.outcome(() =>
        sql.call(commenter, 'add_comment', { thread: second, comment, body: saying('In two threads') }),
      ),
    ).toBe('WF005');
    expect((await listComments(sql, editor, page)).threads).toHaveLength(2);
  }),
);

test(
  'no call names an author, so none can be forged: a column of the table is no argument',
  withWorkspace(async (sql) => {
    const args = await sql.rows<{ name: string }>(
      `select distinct a.name
       from pg_proc as p cross join unnest(p.proargnames) as a (name)
       where p.pronamespace = 'public'::regnamespace
         and p.proname in (
           'start_thread', 'add_comment', 'edit_comment', 'delete_comment', 'resolve_thread', 'set_reaction', 'move_thread'
         )
       order by a.name`,
    );
    expect(args.map(({ name }) => name)).toEqual(
      ['anchor', 'body', 'comment', 'document', 'emoji', 'is_resolved', 'is_set', 'known', 'thread'].toSorted(),
    );
  }),
);

test(
  'a comment is edited by its author alone, and deleted by managers too; only people who may edit move another’s thread',
  withWorkspace(async (sql, { page, people }) => {
    const { editor, manager, commenter, redeemedCommenter } = people;
    const { thread, comment } = await beginThread(sql, redeemedCommenter, page);
    const outcome = (by: typeof editor, name: string, args: Args) => sql.outcome(() => sql.call(by, name, args));
    const moved = { thread, anchor: JSON.stringify(onWords('light')), known: ON_PAGE };
    expect([
      await outcome(manager, 'edit_comment', { comment, body: saying('Changed') }),
      await outcome(editor, 'delete_comment', { comment }),
      await outcome(manager, 'delete_comment', { comment }),
      await outcome(commenter, 'move_thread', moved),
      await outcome(redeemedCommenter, 'move_thread', moved),
      await outcome(editor, 'move_thread', moved),
    ]).toEqual(['WF002', 'WF002', 'ok', 'WF002', 'ok', 'ok']);
  }),
);

async function outcomes(sql: Sql, fixture: WorkspaceFixture) {
  const { commenter } = fixture.people;
  const found = [];
  const begun = {
    document: fixture.page,
    thread: randomUUID(),
    comment: randomUUID(),
    anchor: ON_PAGE,
    body: saying('?'),
  };
  for (const [name, args] of [['start_thread', begun] as const, ...changesOf(fixture.thread, fixture.comment)])
    found.push(await sql.outcome(() => sql.call(commenter, name, args)));
  return new Set(found);
}

test(
  'nobody comments on a page in the trash; its comments are read',
  withWorkspace(async (sql, fixture) => {
    await sql.call(fixture.people.owner, 'trash_document', { document: fixture.page });
    expect(await outcomes(sql, fixture)).toEqual(new Set(['WF002']));
    const { mayComment, threads } = await listComments(sql, fixture.people.commenter, fixture.page);
    expect([mayComment, threads.length]).toEqual([false, 1]);
  }),
);

test(
  'whose role is lowered or taken away changes nothing more, their own comments neither',
  withWorkspace(async (sql, fixture) => {
    const { owner, commenter } = fixture.people;
    const give = (role: string | null) =>
      sql.call(owner, 'set_document_member', { document: fixture.page, person: commenter.id, role });
    expect(await outcomes(sql, fixture)).toEqual(new Set(['ok']));
    await give('viewer');
    expect(await outcomes(sql, fixture)).toEqual(new Set(['WF002']));
    expect((await listComments(sql, commenter, fixture.page)).mayComment).toBe(false);
    await give(null);
    expect(await outcomes(sql, fixture)).toEqual(new Set(['WF001']));
    expect(await sql.outcome(() => listComments(sql, commenter, fixture.page))).toBe('WF001');
  }),
);

test(
  'a guest who came by a link comments until it is revoked; what they wrote stays',
  withWorkspace(async (sql, { page, people, thread, links }) => {
    const { redeemedCommenter, owner } = people;
    await reply(sql, redeemedCommenter, thread);
    await sql.call(owner, 'revoke_share_link', { link: links.commenter.id });
    expect(await sql.outcome(() => listComments(sql, redeemedCommenter, page))).toBe('WF001');
    expect(await sql.outcome(() => reply(sql, redeemedCommenter, thread))).toBe('WF001');
    const [one] = (await listComments(sql, owner, page)).threads;
    expect(present({ thread: one! }).comments[1]?.by).toBe(redeemedCommenter.id);
  }),
);

test(
  'a link to watch gives no role, so its watchers read no comments: every role by a link is to comment or edit',
  withWorkspace(async (sql, { page, people }) => {
    expect(await sql.outcome(() => listComments(sql, people.linkWatcher, page))).toBe('WF001');
    const asViewer = `update public.document_members set role = 'viewer' where document_id = $1 and via_link is not null`;
    await expect(sql.rows(asViewer, [page])).rejects.toThrow('document_members_via_link_check');
  }),
);

test(
  'a page that is moved below a restricted one takes its comments with it',
  withWorkspace(async (sql, { secretPage, subpage, people }) => {
    const { owner, member } = people;
    const { thread } = await beginThread(sql, member, subpage);
    await sql.call(owner, 'move_document', { document: subpage, parent: secretPage, rank: 'a0' });
    expect(await sql.outcome(() => listComments(sql, member, subpage))).toBe('WF001');
    expect((await listComments(sql, owner, subpage)).threads.map(({ id }) => id)).toEqual([thread]);
    expect(await sql.outcome(() => change(sql, member, 'resolve_thread', { thread, is_resolved: true }))).toBe('WF001');
  }),
);
