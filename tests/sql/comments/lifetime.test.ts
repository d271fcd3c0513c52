// What becomes of comments when their page's history is erased, their page is deleted, or a person leaves.
import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Anchor } from '../../../src/protocol/comments.ts';
import { notificationList } from '../../../src/protocol/home-answers.ts';
import type { Sql } from '../../support/database/sql.ts';
import {
  beginThread,
  change,
  isChangeOf,
  listComments,
  onWords,
  present,
  reply,
  saying,
  wordsOf,
} from '../fixture/comments.ts';
import { FUNCTIONS } from '../fixture/function-cases.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

async function erase(sql: Sql, fixture: WorkspaceFixture): Promise<unknown> {
  const caller = fixture.people.owner;
  return sql.call(caller, 'erase_history', (await FUNCTIONS['erase_history']?.args({ sql, caller, fixture })) ?? {});
}

test(
  'erasing the history takes the page’s words out of its anchors, tells devices so, and leaves places and comments',
  withWorkspace(async (sql, fixture) => {
    const { page, people } = fixture;
    const { commenter, editor } = people;
    const block = { kind: 'block', block: 'b1', quote: 'password.png' } as const;
    await beginThread(sql, commenter, page, { anchor: JSON.stringify(onWords('password')) });
    const { thread } = await beginThread(sql, commenter, page, { anchor: JSON.stringify(block) });
    await reply(sql, editor, thread, saying('Why?'));
    const { change: before } = await listComments(sql, editor, page);
    const sent = await sql.sentDuring(() => erase(sql, fixture));
    expect(sent.filter(({ json }) => isChangeOf('comment', json)).length).toBeGreaterThan(0);

    const list = await listComments(sql, editor, page, before);
    const threads = list.threads.map((one) => present({ thread: one }));
    expect(threads.map((one) => one.anchor).toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'block', block: 'b1', quote: '' },
      { ...onWords(''), before: '', after: '' },
    ]);
    expect([list.change, new Set(threads.map((one) => one.change)).size]).toEqual([before + 2, 2]);
    expect(threads.map(wordsOf)).toContainEqual(['Who keeps the light?', 'Why?']);
    const { notifications } = await sql.ask(commenter, notificationList, 'list_notifications', {});
    expect(notifications.filter(({ kind }) => kind === 'reply').map(({ detail }) => detail.excerpt)).toEqual(['Why?']);
  }),
);

test(
  'a device that still has the words does not put them back with a thread that it moves',
  withWorkspace(async (sql, fixture) => {
    const { commenter, editor } = fixture.people;
    const known = JSON.stringify(onWords('password'));
    const { thread } = await beginThread(sql, commenter, fixture.page, { anchor: known });
    await erase(sql, fixture);
    const answer = await change(sql, editor, 'move_thread', {
      thread,
      anchor: JSON.stringify({ ...onWords('password'), block: 'b2' }),
      known,
    });
    expect(present(answer).anchor).toEqual({ ...onWords(''), before: '', after: '' });
  }),
);

test(
  'a thread that was begun or moved on a device with an earlier history brings no words of it back',
  withWorkspace(async (sql, fixture) => {
    const { page, people } = fixture;
    const { commenter, editor } = people;
    const historyOf = async () =>
      v.parse(
        v.object({ historyBeganAt: v.number() }),
        await sql.call(editor, 'open_document', { document: page, since: 0 }),
      ).historyBeganAt;
    const blank = { ...onWords(''), before: '', after: '' };
    const begin = async (about: Anchor) => {
      const begun = await beginThread(sql, commenter, page, { anchor: JSON.stringify(about) });
      return { ...begun, anchor: present(begun.answer).anchor };
    };
    expect((await begin(onWords('password'))).anchor).toEqual(onWords('password'));
    await erase(sql, fixture);
    const first = await historyOf();
    expect((await begin(onWords('password'))).anchor).toEqual(blank);
    expect((await begin({ kind: 'block', block: 'b1', quote: 'password.png' })).anchor).toMatchObject({ quote: '' });
    const { thread, anchor } = await begin({ ...onWords('harbour'), history: first });
    expect(anchor).toEqual(onWords('harbour'));
    const move = async (known: Anchor, about: Anchor) =>
      present(
        await change(sql, editor, 'move_thread', {
          thread,
          anchor: JSON.stringify(about),
          known: JSON.stringify(known),
        }),
      ).anchor;
    expect(await move(anchor, { ...onWords('harbour'), block: 'b2', history: first - 1 })).toEqual({
      ...blank,
      block: 'b2',
    });
    expect(await move({ ...blank, block: 'b2' }, { ...onWords('harbour'), history: first })).toEqual(
      onWords('harbour'),
    );
  }),
);

test(
  'a page that is deleted for good takes its comments with it',
  withWorkspace(async (sql, { page, people, comment }) => {
    const { owner, commenter } = people;
    await change(sql, owner, 'set_reaction', { comment, emoji: '👍', is_set: true });
    await sql.call(commenter, 'mark_comments_read', { document: page, change: 1 });
    await sql.call(owner, 'trash_document', { document: page });
    await sql.call(owner, 'purge_document', { document: page });
    for (const table of ['comment_heads', 'comment_threads', 'comments', 'comment_reactions', 'comment_reads'])
      expect([table, await sql.rows(`select from weft.${table}`)]).toEqual([table, []]);
  }),
);

test(
  'what a deleted account wrote stays without an author; its reactions go, and its comments are changed by managers alone',
  withWorkspace(async (sql, { page, people, thread, comment }) => {
    const { commenter, editor, manager } = people;
    await change(sql, commenter, 'set_reaction', { comment, emoji: '👍', is_set: true });
    await change(sql, commenter, 'resolve_thread', { thread, is_resolved: true });
    await reply(sql, editor, thread, saying('Thanks', commenter));
    await sql.call(commenter, 'delete_account', {});
    const [one] = (await listComments(sql, editor, page)).threads;
    expect(one).toMatchObject({
      by: null,
      resolved: { by: null },
      comments: [{ by: null, reactions: [] }, { by: editor.id }],
    });
    const outcome = (by: typeof editor, name: string, args: Record<string, unknown>) =>
      sql.outcome(() => sql.call(by, name, { comment, ...args }));
    expect([
      await outcome(editor, 'delete_comment', {}),
      await outcome(manager, 'edit_comment', { body: saying('Mine') }),
      await outcome(manager, 'delete_comment', {}),
    ]).toEqual(['WF002', 'WF002', 'ok']);
    // Nobody is told any more, and a reply does not fail for it.
    await reply(sql, manager, thread);
  }),
);

test(
  'a page that is made from another has no comments',
  withWorkspace(async (sql, { page, subpage, workspace, people }) => {
    const { owner } = people;
    const copy = crypto.randomUUID();
    await sql.call(owner, 'set_document_template', { document: page, is_template: true });
    await sql.call(owner, 'create_document', { id: copy, workspace, parent: subpage, rank: 'a1' });
    expect((await listComments(sql, owner, copy)).threads).toEqual([]);
  }),
);
