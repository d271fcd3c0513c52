// People who may comment, but not edit, write a reply: the database tells the others on the page, in their name and no other.
import { expect, test } from 'vitest';
import type { Sql } from '../../support/database/sql.ts';
import { reply } from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

/** The messages since the last call of this. */
async function told(sql: Sql): Promise<readonly unknown[]> {
  const messages = await sql.rows<{ topic: string; text: string }>(
    `delete from realtime.messages where event = 'beside' and private
     returning topic, convert_from(binary_payload, 'UTF8') as text`,
  );
  return messages.map(({ topic, text }) => [topic, JSON.parse(text)]);
}
const later = (sql: Sql) =>
  sql.rows("update weft.comment_paces set announced_at = announced_at - interval '3 seconds'");

test(
  'a reply is announced on the live topic under the name of the caller, and its end',
  withWorkspace(async (sql, { page, people, thread }) => {
    const { commenter, editor, viewer } = people;
    const [row] = await sql.rows<{ epoch: string }>('select weft.topic_epoch($1) as epoch', [page]);
    const topic = `d:${page}:${row?.epoch}`;
    expect(await sql.call(commenter, 'announce_reply', { thread, is_writing: true })).toEqual({});
    expect(await told(sql)).toEqual([[topic, { user: commenter.id, beside: thread }]]);
    await sql.call(commenter, 'announce_reply', { thread, is_writing: false });
    expect(await told(sql)).toEqual([[topic, { user: commenter.id, beside: null }]]);
    await sql.call(editor, 'announce_reply', { thread, is_writing: true });
    expect(await told(sql)).toEqual([[topic, { user: editor.id, beside: thread }]]);
    expect(await sql.outcome(() => sql.call(viewer, 'announce_reply', { thread, is_writing: true }))).toBe('WF002');
    expect(await told(sql)).toEqual([]);
  }),
);

test(
  'however often a person calls, the others get a beginning every 2 s at most, and one end of each',
  withWorkspace(async (sql, { people: { commenter }, thread }) => {
    const say = (isWriting: boolean) => sql.call(commenter, 'announce_reply', { thread, is_writing: isWriting });
    for (let call = 0; call < 20; call++) await say(true);
    expect(await told(sql)).toHaveLength(1);
    for (let call = 0; call < 20; call++) await say(false);
    expect(await told(sql)).toHaveLength(1);
    for (let call = 0; call < 20; call++) await say(call % 2 === 0);
    expect(await told(sql)).toEqual([]);
    await later(sql);
    for (let call = 0; call < 20; call++) await say(call % 2 === 0);
    expect(await told(sql)).toHaveLength(2);
  }),
);

test(
  'an announced reply is no change of comments: it uses up no pace, and nothing is stored of it on the page',
  withWorkspace(async (sql, { people, thread }) => {
    const { redeemedCommenter } = people;
    await sql.rows(
      `update weft.settings set quotas = '{"comment_changes_per_hour": [1, 1], "comment_changes_per_day": [1, 1]}'`,
    );
    const heads = () => sql.rows('select * from weft.comment_heads');
    const before = await heads();
    for (let call = 0; call < 5; call++) {
      await sql.call(redeemedCommenter, 'announce_reply', { thread, is_writing: true });
      await later(sql);
    }
    expect(await told(sql)).toHaveLength(5);
    expect(await heads()).toEqual(before);
    await reply(sql, redeemedCommenter, thread);
    expect(await sql.outcome(() => reply(sql, redeemedCommenter, thread))).toBe('WF008');
  }),
);

test(
  'of a page in the trash, or a thread that is none, nothing is announced',
  withWorkspace(async (sql, { page, people, thread, comment }) => {
    const { commenter, owner } = people;
    const outcome = (of: string) =>
      sql.outcome(() => sql.call(commenter, 'announce_reply', { thread: of, is_writing: true }));
    expect(await outcome(comment)).toBe('WF001');
    await sql.call(owner, 'trash_document', { document: page });
    expect(await outcome(thread)).toBe('WF002');
    expect(await told(sql)).toEqual([]);
  }),
);
