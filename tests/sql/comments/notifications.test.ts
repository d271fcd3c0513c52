// Whom a comment is told to: people it mentions and the others of its thread, each once, and only those who may read it.
import { expect, test } from 'vitest';
import { notificationList } from '../../../src/protocol/home-answers.ts';
import type { Person, Sql } from '../../support/database/sql.ts';
import { beginThread, change, isChangeOf, reply, saying } from '../fixture/comments.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';

const withWorkspace = useWorkspace();

const isOfComment = (kind: string) => kind === 'mention' || kind === 'reply';
const toldTo = async (sql: Sql, person: Person) =>
  (await sql.ask(person, notificationList, 'list_notifications', {})).notifications.filter(({ kind }) =>
    isOfComment(kind),
  );
const kinds = async (sql: Sql, ...people: readonly Person[]) => {
  const found = [];
  for (const person of people) found.push((await toldTo(sql, person)).map(({ kind }) => kind));
  return found;
};

test(
  'a reply is told to who began the thread and who commented in it, not to its author, and names thread and comment',
  withWorkspace(async (sql, { page, people, thread }) => {
    const { commenter, editor, manager, member } = people;
    await reply(sql, editor, thread);
    const { comment } = await reply(sql, manager, thread, saying('Ask\n\n the keeper. '.repeat(40)));
    expect(await kinds(sql, commenter, editor, manager, member)).toEqual([['reply', 'reply'], ['reply'], [], []]);
    const [newest] = await toldTo(sql, editor);
    expect(newest).toMatchObject({ kind: 'reply', document: page, actor: manager.id, isReadable: true });
    expect(newest?.detail).toEqual({ thread, comment, excerpt: 'Ask the keeper. '.repeat(40).slice(0, 200) });
  }),
);

test(
  'a mention is told once for a comment: not also as a reply, and not again when it is edited',
  withWorkspace(async (sql, { people, thread }) => {
    const { commenter, editor, viewer, member } = people;
    const { comment } = await reply(sql, editor, thread, saying('Look', commenter, viewer, viewer, editor));
    expect(await kinds(sql, commenter, viewer, editor, member)).toEqual([['mention'], ['mention'], [], []]);
    await change(sql, editor, 'edit_comment', { comment, body: saying('Please look', commenter, viewer, member) });
    expect(await kinds(sql, commenter, viewer, editor, member)).toEqual([['mention'], ['mention'], [], ['mention']]);
    const [first] = await toldTo(sql, viewer);
    expect(first?.detail.excerpt).toBe('Please look @someone @someone @someone');
  }),
);

test(
  'who commented and deleted it all is told no more',
  withWorkspace(async (sql, { people, thread }) => {
    const { editor, manager } = people;
    const { comment } = await reply(sql, editor, thread);
    await change(sql, editor, 'delete_comment', { comment });
    await reply(sql, manager, thread);
    expect(await kinds(sql, editor)).toEqual([[]]);
  }),
);

test(
  'nobody is told of a comment that they may not read, and a mention in it changes nothing about that',
  withWorkspace(async (sql, { page, secretPage, people }) => {
    const { owner, member, stranger, admin, guest, linkWatcher } = people;
    await sql.rows('delete from realtime.messages');
    await beginThread(sql, owner, secretPage, { body: saying('Secret', member, admin, stranger, guest, linkWatcher) });
    expect(await kinds(sql, member, admin, stranger, guest, linkWatcher)).toEqual([[], [], [], [], []]);
    expect((await sql.sent()).filter(({ json }) => isChangeOf('notification', json))).toEqual([]);
    expect(await sql.rows('select from weft.notifications where document_id = $1', [secretPage])).toEqual([]);
    await beginThread(sql, owner, page, {
      body: saying('Nobody', stranger, { id: crypto.randomUUID(), guest: false }),
    });
    expect(await kinds(sql, stranger)).toEqual([[]]);
  }),
);

test(
  'a notification says nothing of a comment that the person may no longer read',
  withWorkspace(async (sql, { page, people, thread }) => {
    const { commenter, owner, editor } = people;
    await reply(sql, editor, thread);
    await sql.call(owner, 'set_document_member', { document: page, person: commenter.id, role: null });
    expect(await toldTo(sql, commenter)).toMatchObject([
      { kind: 'reply', isReadable: false, title: null, actor: null, actorName: null, detail: {} },
    ]);
  }),
);

test(
  'deleting a comment takes back what nobody has read, and its words from what was read',
  withWorkspace(async (sql, { people, thread }) => {
    const { commenter, editor, viewer } = people;
    const { comment } = await reply(sql, editor, thread, saying('The code is 1234', viewer));
    await sql.call(viewer, 'mark_read', {});
    const sent = await sql.sentDuring(() => change(sql, editor, 'delete_comment', { comment }));
    expect(sent.filter(({ json }) => isChangeOf('notification', json)).map(({ topic }) => topic)).toEqual([
      `u:${commenter.id}`,
    ]);
    expect(await toldTo(sql, commenter)).toEqual([]);
    expect((await toldTo(sql, viewer)).map(({ detail }) => detail)).toEqual([{ thread, comment }]);
  }),
);
