// Threads, their comments and what one asks of them: each change has a number, and each call may be repeated.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  ON_PAGE,
  beginThread,
  change,
  listComments,
  onWords,
  present,
  reply,
  saying,
  wordsOf,
} from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

test(
  'a thread has its anchor, its author and its comments in their order, stamped by the database',
  withWorkspace(async (sql, { page, people }) => {
    const { commenter, editor } = people;
    const anchor = onWords('keeper');
    const { thread, answer } = await beginThread(sql, commenter, page, { anchor: JSON.stringify(anchor) });
    await reply(sql, editor, thread);
    const { threads, change: newest, more, mayComment } = await listComments(sql, commenter, page);
    expect([threads.length, newest, more, mayComment]).toEqual([2, 3, false, true]);
    const listed = present({ thread: threads[1]! });
    expect(listed).toMatchObject({ id: thread, anchor, by: commenter.id, resolved: null, change: 3 });
    expect(listed.comments.map(({ by, change: one, editedAt }) => [by, one, editedAt])).toEqual([
      [commenter.id, 2, null],
      [editor.id, 3, null],
    ]);
    expect(wordsOf(listed)).toEqual(['Who keeps the light?', 'She does.']);
    expect(answer.change).toBe(2);
    const { now } = await sql.row<{ now: string }>('select weft.unix_ms(now()) as now');
    expect(listed.at).toBe(Number(now));
  }),
);

test(
  'a list has what was changed after the change that the caller knows',
  withWorkspace(async (sql, { page, people, thread: first }) => {
    const { commenter, editor } = people;
    const { thread: second } = await beginThread(sql, editor, page);
    const idsAfter = async (after: number) => {
      const { threads, change: newest } = await listComments(sql, commenter, page, after);
      return [newest, threads.map(({ id }) => id)];
    };
    expect(await idsAfter(0)).toEqual([2, [first, second]]);
    expect(await idsAfter(1)).toEqual([2, [second]]);
    expect(await idsAfter(2)).toEqual([2, []]);
    await reply(sql, editor, first);
    expect(await idsAfter(2)).toEqual([3, [first]]);
    expect(await idsAfter(0)).toEqual([3, [second, first]]);
    // Of a database that was restored from a backup.
    expect(await idsAfter(99)).toEqual([3, []]);
  }),
);

test(
  'a page without comments has none',
  withWorkspace(async (sql, { subpage, people }) => {
    expect(await listComments(sql, people.owner, subpage)).toEqual({
      document: subpage,
      change: 0,
      more: false,
      readChange: 0,
      mayComment: true,
      threads: [],
    });
  }),
);

test(
  'a long list comes in several answers, and each thread once',
  withWorkspace(async (sql, { page, people }) => {
    const { owner } = people;
    await sql.rows(
      `insert into weft.comment_threads (id, document_id, anchor, change, bytes)
       select md5('thread' || n)::uuid, $1, '{"kind": "page"}', n + 1, 400000 from generate_series(1, 7) as n`,
      [page],
    );
    await sql.rows(
      `insert into weft.comments (id, thread_id, body, change)
       select t.id, t.id, '[{"kind": "paragraph", "runs": []}]', t.change from weft.comment_threads as t where t.bytes = 400000`,
    );
    await sql.rows('update weft.comment_heads set change = 9 where document_id = $1', [page]);
    const answers: (readonly [change: number, more: boolean, threads: number])[] = [];
    for (let after = 0, more = true; more;) {
      const answer = await listComments(sql, owner, page, after);
      answers.push([answer.change, answer.more, answer.threads.length]);
      ({ change: after, more } = answer);
    }
    expect(answers).toEqual([
      [4, true, 4],
      [7, true, 3],
      [9, false, 1],
    ]);
  }),
);

test(
  'the same call again finds what the first one did, and changes nothing',
  withWorkspace(async (sql, { page, people }) => {
    const { commenter } = people;
    const [thread, comment, second] = [randomUUID(), randomUUID(), randomUUID()];
    const calls: [string, Record<string, unknown>][] = [
      ['start_thread', { document: page, thread, comment, anchor: ON_PAGE, body: saying('One') }],
      ['add_comment', { thread, comment: second, body: saying('Two') }],
      ['edit_comment', { comment, body: saying('Three') }],
      ['set_reaction', { comment, emoji: '👍', is_set: true }],
      ['set_reaction', { comment, emoji: '👍', is_set: false }],
      ['resolve_thread', { thread, is_resolved: true }],
      ['resolve_thread', { thread, is_resolved: false }],
      ['move_thread', { thread, anchor: JSON.stringify(onWords('light')), known: ON_PAGE }],
      ['delete_comment', { comment: second }],
      ['delete_comment', { comment }],
    ];
    for (const [name, args] of calls) {
      const first = await change(sql, commenter, name, args);
      const sent = await sql.sentDuring(async () => {
        expect(await change(sql, commenter, name, args)).toEqual(first);
      });
      expect([name, sent]).toEqual([name, []]);
    }
    const { change: newest } = await listComments(sql, commenter, page);
    for (const [name, args] of calls.filter(([one]) => one === 'start_thread' || one === 'add_comment'))
      expect(await change(sql, commenter, name, args)).toEqual({
        change: newest,
        thread: { id: thread, removed: true },
      });
  }),
);

test(
  'a call that is repeated after the right to comment was taken away says that the comment is there',
  withWorkspace(async (sql, { page, people }) => {
    const { owner, commenter } = people;
    const { thread, comment, answer } = await beginThread(sql, commenter, page);
    const begun = { document: page, thread, comment, anchor: ON_PAGE, body: saying('Who keeps the light?') };
    const said = await reply(sql, commenter, thread);
    const answered = { thread, comment: said.comment, body: saying('She does.') };
    const asViewer = async () => [
      await sql.outcome(() => sql.call(commenter, 'start_thread', begun)),
      await sql.outcome(() => sql.call(commenter, 'add_comment', answered)),
      await sql.outcome(() => sql.call(commenter, 'add_comment', { ...answered, comment: randomUUID() })),
      await sql.outcome(() => sql.call(commenter, 'start_thread', { ...begun, comment: randomUUID() })),
    ];
    await sql.call(owner, 'set_document_member', { document: page, person: commenter.id, role: 'viewer' });
    expect(await asViewer()).toEqual(['ok', 'ok', 'WF002', 'WF002']);
    expect(await change(sql, commenter, 'add_comment', answered)).toEqual(said.answer);
    expect(present(answer).comments.length).toBe(1);
    await sql.call(owner, 'set_document_member', { document: page, person: commenter.id, role: null });
    await sql.call(owner, 'set_document_access', { document: page, access: 'restricted', revoke_links: true });
    expect(await asViewer()).toEqual(['WF001', 'WF001', 'WF001', 'WF001']);
  }),
);

test(
  'an edit stamps its time, and leaves the comment as read as it was',
  withWorkspace(async (sql, { people, comment }) => {
    const edited = present(
      await change(sql, people.commenter, 'edit_comment', { comment, body: saying('Since when?') }),
    );
    expect(wordsOf(edited)).toEqual(['Since when?']);
    expect([edited.change, edited.comments[0]?.change, edited.comments[0]?.editedAt]).toEqual([
      2,
      1,
      expect.any(Number),
    ]);
  }),
);

test(
  'a deleted comment keeps its place; a thread whose comments are all deleted is removed',
  withWorkspace(async (sql, { page, people, thread, comment }) => {
    const { commenter, editor, viewer } = people;
    const { comment: second } = await reply(sql, editor, thread);
    await change(sql, editor, 'set_reaction', { comment, emoji: '🎉', is_set: true });
    const left = present(await change(sql, commenter, 'delete_comment', { comment }));
    expect([wordsOf(left), left.comments[0]?.by, left.comments[0]?.reactions]).toEqual([
      [null, 'She does.'],
      commenter.id,
      [],
    ]);
    const { change: newest, thread: removed } = await change(sql, editor, 'delete_comment', { comment: second });
    expect(removed).toEqual({ id: thread, removed: true });
    expect((await listComments(sql, viewer, page, newest - 1)).threads).toEqual([removed]);
    expect((await listComments(sql, viewer, page)).threads).toEqual([]);
    expect(await sql.row('select anchor from weft.comment_threads where id = $1', [thread])).toEqual({
      anchor: { kind: 'page' },
    });
  }),
);

test(
  'what came too late for a deleted comment or a removed thread is refused, or does nothing',
  withWorkspace(async (sql, { page, people, thread, comment }) => {
    const { commenter, editor } = people;
    await change(sql, commenter, 'delete_comment', { comment });
    const outcome = (name: string, args: Record<string, unknown>) => sql.outcome(() => sql.call(commenter, name, args));
    expect([
      await outcome('add_comment', { thread, comment: randomUUID(), body: saying('Still here?') }),
      await outcome('edit_comment', { comment, body: saying('Still here?') }),
    ]).toEqual(['WF022', 'WF022']);
    const { change: newest } = await listComments(sql, editor, page);
    const late = { change: newest, thread: { id: thread, removed: true } };
    expect([
      await change(sql, editor, 'set_reaction', { comment, emoji: '🎉', is_set: true }),
      await change(sql, editor, 'resolve_thread', { thread, is_resolved: true }),
      await change(sql, editor, 'move_thread', { thread, anchor: JSON.stringify(onWords('light')), known: ON_PAGE }),
    ]).toEqual([late, late, late]);
  }),
);

test(
  'a thread is resolved by someone at a time, and opened again',
  withWorkspace(async (sql, { people, thread }) => {
    const { editor, redeemedCommenter } = people;
    const resolved = present(await change(sql, editor, 'resolve_thread', { thread, is_resolved: true }));
    expect(resolved.resolved).toEqual({ by: editor.id, at: expect.any(Number) });
    // Someone else resolves it as well: it stays the first one's.
    const again = present(await change(sql, redeemedCommenter, 'resolve_thread', { thread, is_resolved: true }));
    expect(again.resolved?.by).toBe(editor.id);
    const opened = present(await change(sql, redeemedCommenter, 'resolve_thread', { thread, is_resolved: false }));
    expect(opened.resolved).toBe(null);
  }),
);

test(
  'reactions are one’s own, and in the order in which an emoji was first used',
  withWorkspace(async (sql, { people, comment }) => {
    const { commenter, editor } = people;
    const react = async (by: typeof editor, emoji: string, isSet: boolean) => {
      const thread = present(await change(sql, by, 'set_reaction', { comment, emoji, is_set: isSet }));
      await sql.rows(`update weft.comment_reactions set at = at - interval '1 second'`);
      return thread.comments[0]?.reactions;
    };
    await react(editor, '👩🏽‍🚀', true);
    await react(editor, '👍', true);
    expect(await react(commenter, '👩🏽‍🚀', true)).toEqual([
      { emoji: '👩🏽‍🚀', by: [editor.id, commenter.id] },
      { emoji: '👍', by: [editor.id] },
    ]);
    expect(await react(commenter, '👍', false)).toHaveLength(2);
    expect(await react(editor, '👩🏽‍🚀', false)).toEqual([
      { emoji: '👍', by: [editor.id] },
      { emoji: '👩🏽‍🚀', by: [commenter.id] },
    ]);
  }),
);

test(
  'of two devices that find a thread’s words elsewhere, the first one is right',
  withWorkspace(async (sql, { people, thread }) => {
    const { editor, manager } = people;
    const [first, second] = [onWords('light'), onWords('keeper')].map((one) => JSON.stringify(one));
    const moved = present(await change(sql, editor, 'move_thread', { thread, anchor: first, known: ON_PAGE }));
    expect(moved.anchor).toEqual(onWords('light'));
    const late = present(await change(sql, manager, 'move_thread', { thread, anchor: second, known: ON_PAGE }));
    expect([late.anchor, late.change]).toEqual([onWords('light'), moved.change]);
  }),
);

test(
  'what a person has read never goes back, is not beyond what is there, and is their own',
  withWorkspace(async (sql, { page, people, thread }) => {
    const { viewer, editor } = people;
    await reply(sql, editor, thread);
    const readAfter = async (upTo: number | null) => {
      await sql.call(viewer, 'mark_comments_read', { document: page, change: upTo });
      return (await listComments(sql, viewer, page)).readChange;
    };
    expect([await readAfter(1), await readAfter(99), await readAfter(1), await readAfter(null)]).toEqual([1, 2, 2, 2]);
    expect((await listComments(sql, editor, page)).readChange).toBe(0);
  }),
);

test(
  'each change is one message that names the page and nothing else',
  withWorkspace(async (sql, { page, workspace, people }) => {
    const { commenter } = people;
    const sent = await sql.sentDuring(() =>
      beginThread(sql, commenter, page, { anchor: JSON.stringify(onWords('x')) }),
    );
    const topics = sent.map(({ topic }) => topic);
    expect(new Set(topics).size).toBe(topics.length);
    expect(topics).toContain(`k:${workspace}:1`);
    expect(topics).toContain(`u:${people.viewer.id}`);
    expect(topics).not.toContain(`u:${people.workspaceGuest.id}`);
    for (const { event, json } of sent)
      expect([event, json]).toEqual(['change', { kind: 'comment', op: 'changed', id: page, workspace }]);
  }),
);
