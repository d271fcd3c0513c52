// What the list of pages says of their comments: how many threads are open, and how many this person has not read.
import { expect, test } from 'vitest';
import { documentChanges } from '../../../src/protocol/answers.ts';
import type { Person, Sql } from '../../support/database/sql.ts';
import { beginThread, isChangeOf, reply, saying } from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

/** `[open, unread]` of the page in a person's list; undefined if it is not there. */
const countsIn = async (sql: Sql, by: Person, { workspace, page }: WorkspaceFixture, document = page) => {
  const { documents } = await sql.ask(by, documentChanges, 'list_documents', { workspace });
  const found = documents.find(({ id }) => id === document);
  return found && [found.openThreads, found.unreadThreads];
};
const visit = (sql: Sql, by: Person, document: string) => sql.call(by, 'mark_visited', { document, seq: 1 });
const read = (sql: Sql, by: Person, { page }: WorkspaceFixture, change: number) =>
  sql.call(by, 'mark_comments_read', { document: page, change });

test(
  'open threads are counted for everyone who reads the page’s comments, and for no one else',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, member, editor, viewer, commenter, workspaceGuest, redeemedCommenter } = fixture.people;
    for (const person of [owner, admin, member, editor, viewer, commenter, redeemedCommenter])
      expect(await countsIn(sql, person, fixture)).toEqual([1, 0]);
    expect(await countsIn(sql, owner, fixture, fixture.subpage)).toEqual([0, 0]);
    await beginThread(sql, owner, fixture.secretPage);
    expect(await countsIn(sql, owner, fixture, fixture.secretPage)).toEqual([1, 0]);
    expect(await countsIn(sql, admin, fixture, fixture.secretPage)).toBe(undefined);
    expect(await countsIn(sql, workspaceGuest, fixture)).toBe(undefined);
  }),
);

test(
  'a thread counts as open until it is resolved or removed',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor } = fixture.people;
    const { thread, comment } = await beginThread(sql, editor, fixture.page);
    const open = async () => (await countsIn(sql, owner, fixture))?.[0];
    expect(await open()).toBe(2);
    await sql.call(editor, 'resolve_thread', { thread, is_resolved: true });
    expect(await open()).toBe(1);
    await sql.call(editor, 'resolve_thread', { thread, is_resolved: false });
    expect(await open()).toBe(2);
    await sql.call(editor, 'delete_comment', { comment });
    expect(await open()).toBe(1);
  }),
);

test(
  'unread are threads with words of others since one read them, on pages that one has visited, counted up to 10',
  withWorkspace(async (sql, fixture) => {
    const { viewer, editor, commenter } = fixture.people;
    const unread = async (by: Person) => (await countsIn(sql, by, fixture))?.[1];
    expect(await unread(viewer)).toBe(0);
    for (const person of [viewer, commenter]) await visit(sql, person, fixture.page);
    expect([await unread(viewer), await unread(commenter)]).toEqual([1, 0]);
    await read(sql, viewer, fixture, 1);
    expect(await unread(viewer)).toBe(0);
    const answer = await reply(sql, editor, fixture.thread);
    await reply(sql, editor, fixture.thread);
    expect([await unread(viewer), await unread(commenter)]).toEqual([1, 1]);
    // Nothing to read is left.
    for (const { comment } of [answer, { comment: fixture.comment }])
      await sql.call(fixture.people.manager, 'delete_comment', { comment });
    expect(await unread(viewer)).toBe(1);
    await read(sql, viewer, fixture, 99);
    await sql.call(commenter, 'set_reaction', { comment: answer.comment, emoji: '👍', is_set: true });
    expect(await unread(viewer)).toBe(0);
    for (let n = 0; n < 12; n++) await beginThread(sql, editor, fixture.page);
    expect(await countsIn(sql, viewer, fixture)).toEqual([13, 10]);
  }),
);

test(
  'a person’s own devices hear that they read something that was unread, and no one else does',
  withWorkspace(async (sql, fixture) => {
    const { editor } = fixture.people;
    const { page, workspace } = fixture;
    const sent = async (change: number) =>
      (await sql.sentDuring(() => read(sql, editor, fixture, change))).map(({ topic, json }) => ({ topic, json }));
    expect(await sent(1)).toEqual([
      { topic: `u:${editor.id}`, json: { kind: 'comment', op: 'read', id: page, workspace } },
    ]);
    expect(await sent(1)).toEqual([]);
    await beginThread(sql, editor, page, { body: saying('Mine') });
    expect(await sent(2)).toEqual([]);
  }),
);

test(
  'a comment is told to the open workspace and to people with single pages, as one message each',
  withWorkspace(async (sql, { thread, people, workspace }) => {
    const sent = await sql.sentDuring(() => reply(sql, people.commenter, thread));
    const changes = sent.filter(({ json }) => isChangeOf('comment', json)).map(({ topic }) => topic);
    expect(changes.filter((topic) => topic === `k:${workspace}:1`)).toEqual([`k:${workspace}:1`]);
    expect(changes).not.toContain(`u:${people.member.id}`);
    expect(sent.some(({ json }) => isChangeOf('document', json))).toBe(false);
  }),
);
