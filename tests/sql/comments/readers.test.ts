// Who reads a page's comments, as the page says: each role with each value, who hears of a comment, and attacks on it.
import { expect, test } from 'vitest';
import { linkCommentPage } from '../../../src/protocol/comments.ts';
import { notificationList } from '../../../src/protocol/home-answers.ts';
import { pagePeople } from '../../../src/protocol/people-answers.ts';
import type { Caller, Sql } from '../../support/database/sql.ts';
import { ON_PAGE, beginThread, isChangeOf, listComments, onWords, reply, saying } from '../fixture/comments.ts';
import { COMMENTERS, READERS } from '../fixture/function-cases.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { PEOPLE, type WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const VALUES = ['commenters', 'viewers', 'everyone'] as const;
type Readers = (typeof VALUES)[number];

const set = (sql: Sql, { page, people }: WorkspaceFixture, readers: Readers) =>
  sql.call(people.manager, 'set_comment_readers', { document: page, readers });
const listByLink = (sql: Sql, by: Caller, secret: string, after = 0) =>
  sql.ask(by, linkCommentPage, 'list_link_comments', { secret, after });
const openWatch = async (sql: Sql, { links }: WorkspaceFixture) =>
  Reflect.get(Object(await sql.call('anon', 'open_watch', { secret: links.viewer.secret, since: 0 })), 'comments');

test(
  'each role reads the comments or not, as the page says; people with a role as before',
  withWorkspace(async (sql, fixture) => {
    const found: Record<string, unknown> = {};
    for (const readers of VALUES) {
      await set(sql, fixture, readers);
      const reading = [];
      for (const name of PEOPLE) {
        const { page: document, people } = fixture;
        const outcome = await sql.outcome(() => listComments(sql, people[name], document));
        const marking = () => sql.call(people[name], 'mark_comments_read', { document, change: 1 });
        expect(await sql.outcome(marking)).toBe(outcome);
        expect(['ok', name === 'viewer' ? 'WF002' : 'WF001']).toContain(outcome);
        if (outcome === 'ok') reading.push(name);
      }
      found[readers] = reading;
    }
    const inOrder = (names: readonly string[]) => PEOPLE.filter((name) => names.includes(name));
    expect(found).toEqual({
      commenters: inOrder(COMMENTERS),
      viewers: inOrder(READERS),
      everyone: inOrder(READERS),
    });
  }),
);

test(
  'without a choice, people who may view read them and links to watch show none; the page says so to everyone with a role',
  withWorkspace(async (sql, fixture) => {
    const { page, people, links } = fixture;
    const of = async (by: Caller) =>
      (await sql.ask(by, pagePeople, 'document_people', { document: page })).commentReaders;
    expect([await of(people.viewer), await of(people.redeemedCommenter)]).toEqual(['viewers', 'viewers']);
    expect(await sql.outcome(() => listByLink(sql, 'anon', links.viewer.secret))).toBe('WF002');
    expect(await openWatch(sql, fixture)).toBeNull();
    expect(await sql.outcome(() => listComments(sql, people.viewer, page))).toBe('ok');
  }),
);

test(
  'only with “everyone” a link to watch shows the comments; a link to comment, a revoked one and a page in the trash none',
  withWorkspace(async (sql, fixture) => {
    const { page, people, links } = fixture;
    await set(sql, fixture, 'everyone');
    expect((await listByLink(sql, 'anon', links.viewer.secret)).threads).toHaveLength(1);
    expect(await openWatch(sql, fixture)).toBe(1);
    expect([
      await sql.outcome(() => listByLink(sql, people.stranger, links.commenter.secret)),
      await sql.outcome(() => listByLink(sql, 'anon', links.editor.secret)),
      await sql.outcome(() => listByLink(sql, 'anon', 'x'.repeat(22))),
    ]).toEqual(['WF002', 'WF002', 'WF009']);
    await sql.call(people.owner, 'trash_document', { document: page });
    expect(await sql.outcome(() => listByLink(sql, 'anon', links.viewer.secret))).toBe('WF009');
    await sql.call(people.owner, 'restore_document', { document: page });
    await set(sql, fixture, 'viewers');
    expect(await sql.outcome(() => listByLink(sql, 'anon', links.viewer.secret))).toBe('WF002');
    await set(sql, fixture, 'everyone');
    await sql.call(people.owner, 'revoke_share_link', { link: links.viewer.id });
    expect(await sql.outcome(() => listByLink(sql, 'anon', links.viewer.secret))).toBe('WF009');
  }),
);

test(
  'a link watcher gets the threads without people: numbers of authors within a thread, and how many reacted',
  withWorkspace(async (sql, fixture) => {
    const { page, people, links } = fixture;
    const { thread, comment } = await beginThread(sql, people.editor, page, {
      anchor: JSON.stringify(onWords('light')),
    });
    await reply(sql, people.commenter, thread);
    await reply(sql, people.editor, thread);
    await reply(sql, people.redeemedEditor, thread);
    for (const person of [people.commenter, people.owner])
      await sql.call(person, 'set_reaction', { comment, emoji: '👍', is_set: true });
    await sql.call(people.owner, 'resolve_thread', { thread, is_resolved: true });
    await sql.rows('update weft.comments set created_by = null where thread_id = $1 and created_by = $2', [
      thread,
      people.redeemedEditor.id,
    ]);
    await set(sql, fixture, 'everyone');
    const answer = await sql.call('anon', 'list_link_comments', { secret: links.viewer.secret, after: 1 });
    for (const { id } of Object.values(people)) expect(JSON.stringify(answer)).not.toContain(id);
    const [one] = (await listByLink(sql, 'anon', links.viewer.secret, 1)).threads;
    if (one === undefined || 'removed' in one) throw new Error('the thread is there');
    expect(one.resolved).not.toBeNull();
    expect(one.comments.map(({ author, reactions }) => [author, reactions])).toEqual([
      [1, [{ emoji: '👍', count: 2 }]],
      [2, []],
      [1, []],
      [null, []],
    ]);
  }),
);

test(
  'a link watcher gets the quotes of threads only if the link shows the history: their words may have been deleted',
  withWorkspace(async (sql, fixture) => {
    const { page, people, links } = fixture;
    const ofBlock = { kind: 'block', block: 'b2', quote: 'A picture' } as const;
    for (const about of [onWords('light'), ofBlock])
      await beginThread(sql, people.editor, page, { anchor: JSON.stringify(about) });
    await set(sql, fixture, 'everyone');
    const anchors = async () =>
      (await listByLink(sql, 'anon', links.viewer.secret, 1)).threads.map((one) => 'removed' in one || one.anchor);
    const blank = { ...onWords(''), before: '', after: '' };
    expect(await anchors()).toEqual([blank, { ...ofBlock, quote: '' }]);
    await sql.rows('update public.share_links set history = true where id = $1', [links.viewer.id]);
    expect(await anchors()).toEqual([onWords('light'), ofBlock]);
  }),
);

test(
  'whom a comment mentions, a link watcher is not told: neither the id nor the name',
  withWorkspace(async (sql, fixture) => {
    const { page, people, links } = fixture;
    const thanks = [
      { text: 'Thanks, ', bold: true },
      { text: '@Ada Lovelace', mention: people.owner.id },
      { text: '!' },
    ];
    const body = [
      { kind: 'bullet', runs: thanks },
      { kind: 'paragraph', runs: [] },
    ];
    await beginThread(sql, people.editor, page, { body: JSON.stringify(body) });
    await set(sql, fixture, 'everyone');
    const { threads } = await listByLink(sql, 'anon', links.viewer.secret, 1);
    expect(threads.map((one) => 'removed' in one || one.comments.map((comment) => comment.body))).toEqual([
      [[{ kind: 'bullet', runs: [thanks[0], { text: '@someone' }, thanks[2]] }, body[1]]],
    ]);
  }),
);

test(
  'the functions and tables of comments give a link watcher nothing, whatever the page says and whichever ids they know',
  withWorkspace(async (sql, fixture) => {
    const { page, people, thread, comment } = fixture;
    await set(sql, fixture, 'everyone');
    for (const by of ['anon', people.linkWatcher] as const) {
      const outcomes = [
        await sql.outcome(() => sql.call(by, 'list_comments', { document: page })),
        await sql.outcome(() => sql.call(by, 'add_comment', { thread, comment, body: saying('Me too.') })),
        await sql.outcome(() => sql.call(by, 'resolve_thread', { thread, is_resolved: true })),
        await sql.outcome(() => sql.call(by, 'set_reaction', { comment, emoji: '👍', is_set: true })),
        await sql.outcome(() => sql.call(by, 'set_comment_readers', { document: page, readers: 'everyone' })),
      ];
      expect(new Set(outcomes)).toEqual(new Set([by === 'anon' ? '42501' : 'WF001']));
    }
  }),
);

test(
  'who loses the right hears of that, and of no comment after it; who gets it hears of both',
  withWorkspace(async (sql, fixture) => {
    const { page, people, thread } = fixture;
    const after = async (run: () => Promise<unknown>) => {
      const sent = (await sql.sentDuring(run)).filter(({ topic }) => topic === `u:${people.viewer.id}`);
      return ['access', 'comment'].map((kind) => sent.filter(({ json }) => isChangeOf(kind, json)).length);
    };
    await sql.rows(`update public.documents set access = 'restricted' where id = $1`, [page]);
    const comment = () => reply(sql, people.manager, thread);
    const found = [await after(comment)];
    for (const readers of ['commenters', 'commenters', 'everyone'] as const)
      found.push(await after(() => set(sql, fixture, readers)), await after(comment));
    expect(found).toEqual([
      [0, 1],
      [1, 0],
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0],
      [0, 1],
    ]);
  }),
);

test(
  'the watchers of a link hear of comments while it shows them, and at once when it shows them no more',
  withWorkspace(async (sql, fixture) => {
    const { people, thread, links } = fixture;
    const told = async (run: () => Promise<unknown>) =>
      (await sql.sentDuring(run))
        .filter(({ topic, event }) => topic === `w:${links.viewer.topicKey}` && event === 'comments')
        .map(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes ?? undefined)));
    const comment = () => reply(sql, people.manager, thread);
    await openWatch(sql, fixture);
    expect(await told(comment)).toEqual([]);
    expect(await told(() => set(sql, fixture, 'everyone'))).toEqual([{ change: 2 }]);
    // Within the pause between two messages: the next call of open_watch tells it.
    expect(await told(comment)).toEqual([]);
    expect(await openWatch(sql, fixture)).toBe(3);
    await sql.rows(`update weft.comment_heads set links_told_at = links_told_at - interval '2 seconds'`);
    expect(await told(comment)).toEqual([{ change: 4 }]);
    expect(await told(() => set(sql, fixture, 'commenters'))).toEqual([{ change: null }]);
    expect(await openWatch(sql, fixture)).toBeNull();
  }),
);

test(
  'no one is told of a comment that they may not read, and the words of earlier ones leave their notifications',
  withWorkspace(async (sql, fixture) => {
    const { people, thread } = fixture;
    const inbox = async () =>
      (await sql.ask(people.viewer, notificationList, 'list_notifications', {})).notifications
        .filter(({ kind }) => kind === 'mention')
        .map(({ detail, isReadable }) => [detail.excerpt, isReadable]);
    const mention = () => reply(sql, people.editor, thread, saying('Look', people.viewer));
    await mention();
    await set(sql, fixture, 'commenters');
    await mention();
    expect(await inbox()).toEqual([[undefined, true]]);
    await set(sql, fixture, 'viewers');
    expect(await inbox()).toEqual([['Look @someone', true]]);
  }),
);

test(
  'who may comment loses the comments with that right, where the page shows them to commenters only',
  withWorkspace(async (sql, fixture) => {
    const { page: document, people } = fixture;
    await set(sql, fixture, 'commenters');
    expect(await sql.outcome(() => listComments(sql, people.commenter, document))).toBe('ok');
    await sql.call(people.owner, 'set_document_member', { document, person: people.commenter.id, role: 'viewer' });
    expect(await sql.outcome(() => listComments(sql, people.commenter, document))).toBe('WF002');
  }),
);

test(
  'a repeated call brings its author no thread that they may read no more',
  withWorkspace(async (sql, fixture) => {
    const { page: document, people } = fixture;
    const { thread, comment } = await beginThread(sql, people.commenter, document);
    const said = await reply(sql, people.commenter, thread);
    await sql.call(people.owner, 'set_document_member', { document, person: people.commenter.id, role: 'viewer' });
    const body = saying('She does.');
    const again = async () => [
      await sql.outcome(() =>
        sql.call(people.commenter, 'start_thread', { document, thread, comment, anchor: ON_PAGE, body }),
      ),
      await sql.outcome(() => sql.call(people.commenter, 'add_comment', { thread, comment: said.comment, body })),
    ];
    expect(await again()).toEqual(['ok', 'ok']);
    await set(sql, fixture, 'commenters');
    expect(await again()).toEqual(['WF002', 'WF002']);
  }),
);

test(
  'a value that is none is refused, and the page stays as it was',
  withWorkspace(async (sql, { page: document, people }) => {
    for (const readers of ['nobody', '', null])
      expect(await sql.outcome(() => sql.call(people.owner, 'set_comment_readers', { document, readers }))).toBe(
        '22023',
      );
    expect(await sql.row('select comment_readers from public.documents where id = $1', [document])).toEqual({
      comment_readers: 'viewers',
    });
  }),
);
