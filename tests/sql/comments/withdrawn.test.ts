// A comment that was deleted before the call that brings it arrived, from the same device, does not appear.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ON_PAGE, beginThread, listComments, reply, saying } from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

test(
  'a thread or a reply that is withdrawn first is refused when it comes, from its author alone',
  withWorkspace(async (sql, { page, people, thread }) => {
    const { commenter, editor } = people;
    const [late, begun] = [randomUUID(), randomUUID()];
    const arrive = (by: typeof editor, comment: string) =>
      sql.outcome(() => sql.call(by, 'add_comment', { thread, comment, body: saying('Late') }));
    const before = await listComments(sql, editor, page);
    for (let times = 0; times < 2; times++) {
      expect(await sql.call(commenter, 'withdraw_comment', { comment: late })).toEqual({});
      expect(await sql.call(commenter, 'withdraw_comment', { comment: begun })).toEqual({});
    }
    expect(await arrive(commenter, late)).toBe('WF022');
    const start = { document: page, thread: randomUUID(), comment: begun, anchor: ON_PAGE, body: saying('Late') };
    expect(await sql.outcome(() => sql.call(commenter, 'start_thread', start))).toBe('WF022');
    expect(await listComments(sql, editor, page)).toEqual(before);
    expect(await arrive(editor, late)).toBe('ok');
  }),
);

test(
  'a comment that had arrived is deleted by that, and only by its author',
  withWorkspace(async (sql, { page, people, thread }) => {
    const { commenter, editor, manager, stranger } = people;
    const { comment } = await reply(sql, editor, thread);
    const there = async () =>
      (await listComments(sql, editor, page)).threads.some(
        (one) => 'comments' in one && one.comments.some(({ id, body }) => id === comment && body !== null),
      );
    for (const other of [commenter, manager, stranger])
      expect(await sql.call(other, 'withdraw_comment', { comment })).toEqual({});
    expect(await there()).toBe(true);
    expect(await sql.call(editor, 'withdraw_comment', { comment })).toEqual({});
    expect(await there()).toBe(false);
  }),
);

test(
  'marks use up the pace of a person, and are gone a day later',
  withWorkspace(async (sql, { page, people }) => {
    const { editor, commenter } = people;
    const quotas = { comment_changes_per_hour: [3, 3], comment_changes_per_day: [3, 3] };
    await sql.rows('update weft.settings set quotas = $1', [JSON.stringify(quotas)]);
    const withdraw = (by: typeof editor) => sql.call(by, 'withdraw_comment', { comment: randomUUID() });
    const marks = async () => (await sql.rows('select from weft.withdrawn_comments')).length;
    const before = await marks();
    for (let times = 0; times < 3; times++) await withdraw(editor);
    expect(await sql.outcome(() => withdraw(editor))).toBe('WF008');
    expect(await marks()).toBe(before + 3);
    await sql.rows("update weft.withdrawn_comments set at = at - interval '25 hours'");
    await withdraw(commenter);
    expect(await marks()).toBe(1);
    await beginThread(sql, commenter, page);
  }),
);
