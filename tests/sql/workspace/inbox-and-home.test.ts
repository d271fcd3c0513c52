// Favourites, visits, notifications, mentions, activity and the home's numbers: each person has their own, and sees only
// what they may read now.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { documentChanges } from '../../../src/protocol/answers.ts';
import {
  activityList,
  homeSummary,
  notificationList,
  visit as visitAnswer,
} from '../../../src/protocol/home-answers.ts';
import type { Caller, Person, Sql } from '../../support/database/sql.ts';
import { callsOf } from '../fixture/cost.ts';
import { confirmEmail } from '../fixture/invite.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const told = async (sql: Sql, by: Caller) => sql.ask(by, notificationList, 'list_notifications', {});
const kinds = async (sql: Sql, by: Caller) => (await told(sql, by)).notifications.map((one) => one.kind);
const pageIn = async (sql: Sql, by: Caller, { workspace, page }: WorkspaceFixture, since: string | null = null) => {
  const list = await sql.ask(by, documentChanges, 'list_documents', { workspace, since });
  return { ...list, page: list.documents.find((one) => one.id === page) };
};
const changes = async (sql: Sql, run: () => Promise<unknown>) =>
  (await sql.sentDuring(run)).filter((one) => one.event === 'change').map(({ topic, json }) => ({ topic, json }));

/** Saves the page's text as of its head, with mentions of these people in one block each. */
const saveText = (sql: Sql, by: Caller, { page }: WorkspaceFixture, seq: number, mentioned: readonly Person[]) =>
  sql.call(by, 'save_text', {
    document: page,
    seq,
    title: 'Plan',
    body_text: `text ${seq}`,
    mentions: JSON.stringify(mentioned.map(({ id }) => ({ user: id, block: `b-${id}`, excerpt: 'Ask @them' }))),
  });

test(
  'favourites are one’s own: in one’s list, and as a message on one’s own topic',
  withWorkspace(async (sql, fixture) => {
    const { member, admin } = fixture.people;
    const { stamp } = await pageIn(sql, member, fixture);
    const set = (rank: string | null) => sql.call(member, 'set_favourite', { document: fixture.page, rank });
    const change = (op: string) => [
      {
        topic: `u:${member.id}`,
        json: { kind: 'favourite', op, id: fixture.page, workspace: fixture.workspace },
      },
    ];
    expect(await changes(sql, () => set('a1'))).toEqual(change('changed'));
    expect(await changes(sql, () => set('a1'))).toEqual([]);
    expect((await pageIn(sql, member, fixture)).page?.favouriteRank).toBe('a1');
    expect((await pageIn(sql, member, fixture, stamp)).page?.favouriteRank).toBe('a1');
    expect((await pageIn(sql, admin, fixture)).page?.favouriteRank).toBe(null);
    expect(await changes(sql, () => set(null))).toEqual(change('removed'));
    expect((await pageIn(sql, member, fixture)).page?.favouriteRank).toBe(null);
    expect(await sql.outcome(() => set(' '))).toBe('23514');
  }),
);

test(
  'a visit never goes back, and is one’s own; the first one and one that ends an unread mark are published',
  withWorkspace(async (sql, fixture) => {
    const { member, admin, stranger } = fixture.people;
    const visit = (seq: number | null) => () => sql.call(member, 'mark_visited', { document: fixture.page, seq });
    expect((await changes(sql, visit(99))).map(({ topic }) => topic)).toEqual([`u:${member.id}`]);
    expect(await visit(1)()).toMatchObject({ seenSeq: 2 });
    expect(await visit(null)()).toMatchObject({ seenSeq: 2 });
    expect(await changes(sql, visit(2))).toEqual([]);
    expect((await pageIn(sql, member, fixture)).page?.visitedAt).toBeGreaterThan(0);
    expect((await pageIn(sql, admin, fixture)).page?.visitedAt).toBe(null);
    await sql.rows(`update weft.visits set seen_at = now() - interval '1 minute' where document_id = $1`, [
      fixture.page,
    ]);
    await sql.rows(`update public.documents set updated_at = now() - interval '1 second' where id = $1`, [
      fixture.page,
    ]);
    expect((await changes(sql, visit(2))).length).toBe(1);
    expect(await sql.outcome(() => sql.call(stranger, 'mark_visited', { document: fixture.page, seq: 1 }))).toBe(
      'WF001',
    );
  }),
);

test(
  'a visit names the one before it',
  withWorkspace(async (sql, fixture) => {
    const { member, admin } = fixture.people;
    const visit = (by: typeof member, seq: number) =>
      sql.ask(by, visitAnswer, 'mark_visited', { document: fixture.page, seq });
    const first = await visit(member, 1);
    expect([first.seenSeq, first.before]).toEqual([1, null]);
    const second = await visit(member, 2);
    expect([second.seenSeq, second.before]).toEqual([2, { seenSeq: 1, seenAt: first.seenAt }]);
    expect((await visit(member, 1)).before).toEqual({ seenSeq: 2, seenAt: second.seenAt });
    expect((await visit(admin, 2)).before).toBe(null);
  }),
);

test(
  'a visit that showed an older row leaves the page unread',
  withWorkspace(async (sql, fixture) => {
    const { member } = fixture.people;
    await sql.rows(
      `update public.document_updates set created_at = now() - make_interval(secs => 10 - seq) where document_id = $1`,
      [fixture.page],
    );
    await sql.rows(
      `update public.documents as d set updated_at = u.created_at
       from public.document_updates as u
       where d.id = $1 and u.document_id = d.id and u.seq = 2`,
      [fixture.page],
    );
    const isUnread = async () => {
      const { page } = await pageIn(sql, member, fixture);
      return (page?.updatedAt ?? 0) > (page?.visitedAt ?? 0);
    };
    await sql.call(member, 'mark_visited', { document: fixture.page, seq: 1 });
    expect(await isUnread()).toBe(true);
    await sql.call(member, 'mark_visited', { document: fixture.page, seq: 2 });
    expect(await isUnread()).toBe(false);
  }),
);

test(
  'a mention names its author only in a copy that they saved themselves, so no one forges one of another',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer, member } = fixture.people;
    // Row 2 is the editor's. The device of `member` may have made up the mention.
    await saveText(sql, member, fixture, 2, [viewer]);
    await append(sql, editor, { document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2 });
    await saveText(sql, editor, fixture, 3, [viewer, member]);
    const actors = async (person: Person) =>
      (await told(sql, person)).notifications.filter(({ kind }) => kind === 'mention').map(({ actor }) => actor);
    expect([await actors(viewer), await actors(member)]).toEqual([[null], [editor.id]]);
  }),
);

test(
  'a mention is told once, not to its author, and only to people who may read the page',
  withWorkspace(async (sql, fixture) => {
    const { editor, viewer, member, stranger } = fixture.people;
    await sql.rows('delete from weft.notifications');
    await saveText(sql, member, fixture, 2, [editor, viewer, stranger]);
    expect([await kinds(sql, viewer), await kinds(sql, editor), await kinds(sql, stranger)]).toEqual([
      ['mention'],
      [],
      [],
    ]);
    expect((await told(sql, viewer)).notifications[0]).toMatchObject({
      actor: null,
      title: 'Plan',
      isReadable: true,
      detail: { block: `b-${viewer.id}`, excerpt: 'Ask @them' },
    });
    // Someone else writes on: the same mentions are in the next copies.
    await append(sql, editor, { document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 2 });
    await sql.rows('update public.document_updates set appended_by = $2 where document_id = $1 and seq = 3', [
      fixture.page,
      member.id,
    ]);
    await saveText(sql, member, fixture, 3, [editor, viewer, stranger]);
    expect([await kinds(sql, viewer), await kinds(sql, editor)]).toEqual([['mention'], []]);
  }),
);

test(
  'a notification of a page whose right was lost says nothing about it any more',
  withWorkspace(async (sql, fixture) => {
    const { viewer, owner, member } = fixture.people;
    await saveText(sql, member, fixture, 2, [viewer]);
    await sql.call(owner, 'set_document_member', { document: fixture.page, person: viewer.id, role: null });
    const [lost] = (await told(sql, viewer)).notifications;
    expect(lost).toMatchObject({
      kind: 'mention',
      document: fixture.page,
      isReadable: false,
      title: null,
      actor: null,
      workspaceName: null,
      detail: {},
    });
  }),
);

test(
  'a new role and an invitation are told to the person alone, and notifications are read and counted',
  withWorkspace(async (sql, fixture) => {
    const { member, owner, admin, stranger } = fixture.people;
    const { workspace } = fixture;
    await sql.call(owner, 'set_workspace_role', { workspace, person: member.id, role: 'admin' });
    await sql.call(owner, 'set_workspace_role', { workspace, person: owner.id, role: 'owner' });
    expect([await kinds(sql, member), await kinds(sql, owner), await kinds(sql, admin)]).toEqual([['role'], [], []]);
    await saveText(sql, admin, fixture, 2, [member]);
    const { unread, notifications } = await told(sql, member);
    expect([unread, notifications.map((one) => one.readAt)]).toEqual([2, [null, null]]);
    const ids = [notifications[0]?.id];
    expect(await sql.call(stranger, 'mark_read', { ids })).toEqual({ unread: 0 });
    expect(await sql.call(member, 'mark_read', { ids })).toEqual({ unread: 1 });
    const read = () => sql.call(member, 'mark_read', {});
    expect((await changes(sql, read)).map(({ topic }) => topic)).toEqual([`u:${member.id}`]);
    expect(await changes(sql, read)).toEqual([]);
    expect(await sql.call(member, 'mark_read', { ids, is_read: false })).toEqual({ unread: 1 });
  }),
);

test(
  'a shared page, a request and its answer are told once each, to whom they concern',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, manager, stranger, guest, workspaceGuest } = fixture.people;
    const { page, secretPage } = fixture;
    const share = (role: string) =>
      sql.call(owner, 'set_document_member', { document: secretPage, person: workspaceGuest.id, role });
    await sql.rows('delete from weft.notifications');
    await share('viewer');
    await share('viewer');
    await share('editor');
    await share('viewer');
    expect((await told(sql, workspaceGuest)).notifications.map((one) => [one.kind, one.detail['role']])).toEqual(
      expect.arrayContaining([
        ['shared', 'viewer'],
        ['shared', 'editor'],
      ]),
    );
    expect((await told(sql, workspaceGuest)).unread).toBe(2);

    await sql.call(stranger, 'request_access', { document: page, role: 'viewer', note: 'Please' });
    expect([await kinds(sql, owner), await kinds(sql, admin), await kinds(sql, manager)]).toEqual([
      ['request'],
      ['request'],
      ['request'],
    ]);
    const request = (await told(sql, owner)).notifications[0]?.detail['request'];
    await sql.call(manager, 'answer_request', { request, role: null });
    const [answer] = (await told(sql, stranger)).notifications;
    expect(answer).toMatchObject({ kind: 'answered', isReadable: false, title: null, detail: { role: null } });
    await sql.call(guest, 'request_access', { document: page, role: 'viewer', note: '' });
    const other = (await sql.row('select id from weft.access_requests where user_id = $1', [guest.id]))['id'];
    await sql.call(manager, 'answer_request', { request: other, role: 'viewer' });
    expect((await told(sql, guest)).notifications.map((one) => [one.kind, one.isReadable])).toEqual([
      ['answered', true],
    ]);
  }),
);

test(
  'a request and an invitation say who sent them and whether they still wait for an answer',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, stranger } = fixture.people;
    const { workspace, secretPage } = fixture;
    const first = async (by: Caller) => (await told(sql, by)).notifications[0];
    // All notifications of a transaction have the same time.
    const forget = () => sql.rows('delete from weft.notifications');
    const ask = async () => {
      await forget();
      await sql.call(stranger, 'request_access', { document: secretPage, role: 'viewer', note: 'Please' });
    };
    await ask();
    expect(await first(owner)).toMatchObject({ actorName: 'stranger', state: 'open', detail: { note: 'Please' } });
    await sql.call(stranger, 'withdraw_request', { document: secretPage });
    expect(await first(owner)).toMatchObject({ state: 'ended' });
    await ask();
    const request = (await first(owner))?.detail.request;
    await sql.call(owner, 'answer_request', { request, role: null });
    expect(await first(owner)).toMatchObject({ state: 'denied' });
    expect(await first(stranger)).toMatchObject({ kind: 'answered', state: null, actorName: null });
    await sql.rows('update weft.access_requests set given_role = $1', ['viewer']);
    expect(await first(owner)).toMatchObject({ state: 'accepted' });

    await confirmEmail(sql, stranger);
    const email = 'stranger@example.org';
    const invite = async () => {
      await forget();
      await sql.call(admin, 'create_invite', { workspace, role: 'member', email });
    };
    await invite();
    expect(await first(stranger)).toMatchObject({ kind: 'invite', state: 'open', actorName: 'admin' });
    await sql.call(stranger, 'decline_invite', { invite: (await first(stranger))?.detail.invite });
    expect(await first(stranger)).toMatchObject({ state: 'ended' });
    await invite();
    await sql.call(stranger, 'accept_invite_by_id', { invite: (await first(stranger))?.detail.invite });
    expect(await first(stranger)).toMatchObject({ state: 'accepted' });
  }),
);

test(
  'a request or an invitation that is answered, anywhere, is read for everyone who was told, and their devices hear of it',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, manager, stranger } = fixture.people;
    const { workspace, page } = fixture;
    const unread = async (by: Caller) => (await told(sql, by)).unread;
    const read = (person: Person) => ({
      topic: `u:${person.id}`,
      json: { kind: 'notification', op: 'changed', id: person.id, workspace: null },
    });
    await sql.rows('delete from weft.notifications');
    for (const role of [null, 'viewer'] as const) {
      await sql.call(stranger, 'request_access', { document: page, role: 'viewer', note: '' });
      expect([await unread(owner), await unread(admin), await unread(manager)]).toEqual([1, 1, 1]);
      const request = (await told(sql, owner)).notifications[0]?.detail.request;
      const sent = await changes(sql, () => sql.call(manager, 'answer_request', { request, role }));
      expect(sent).toEqual(expect.arrayContaining([read(owner), read(admin), read(manager)]));
      expect([await unread(owner), await unread(admin), await unread(manager)]).toEqual([0, 0, 0]);
      // The answer itself is news.
      expect(await unread(stranger)).toBe(1);
      await sql.rows('delete from weft.notifications');
      await sql.rows('delete from weft.access_requests');
    }

    await confirmEmail(sql, stranger);
    const invited = async () => {
      await sql.rows('delete from weft.notifications');
      await sql.call(admin, 'create_invite', { workspace, role: 'member', email: 'stranger@example.org' });
      expect(await unread(stranger)).toBe(1);
      return (await told(sql, stranger)).notifications[0]?.detail.invite;
    };
    const declined = await invited();
    const decline = async () => sql.call(stranger, 'decline_invite', { invite: declined });
    expect(await changes(sql, decline)).toEqual(expect.arrayContaining([read(stranger)]));
    expect(await unread(stranger)).toBe(0);
    await sql.call(stranger, 'accept_invite_by_id', { invite: await invited() });
    expect((await told(sql, stranger)).notifications.map(({ kind, readAt }) => [kind, readAt !== null])).toContainEqual(
      ['invite', true],
    );
  }),
);

test(
  'a person who confirms an address finds the open invitations to it, once each',
  withWorkspace(async (sql, fixture) => {
    const { admin, stranger } = fixture.people;
    const { workspace } = fixture;
    const kinds = async () => (await told(sql, stranger)).notifications.map(({ kind }) => kind);
    await sql.call(admin, 'create_invite', { workspace, role: 'member', email: 'stranger@example.org' });
    expect(await kinds()).toEqual([]);
    await confirmEmail(sql, stranger);
    expect(await kinds()).toEqual(['invite']);
    await confirmEmail(sql, stranger);
    await sql.rows('update auth.users set last_sign_in_at = now() where id = $1', [stranger.id]);
    expect(await kinds()).toEqual(['invite']);
  }),
);

test(
  'the activity has one line for each editing session, and only of pages that the caller may read',
  withWorkspace(async (sql, fixture) => {
    const { editor, member, owner, viewer, workspaceGuest } = fixture.people;
    const { workspace, page, secretPage } = fixture;
    const list = async (by: Caller) => sql.ask(by, activityList, 'list_activity', { workspace });
    await sql.rows('delete from weft.activity');
    await saveText(sql, member, fixture, 2, []);
    await append(sql, editor, { document: page, session: fixture.editorSession, nFrom: 2, nTo: 2 });
    await saveText(sql, member, fixture, 3, []);
    expect((await list(viewer)).map(({ kind, actor }) => [kind, actor])).toEqual([['edited', editor.id]]);
    // A pause of more than 30 minutes ends the editing session.
    await sql.rows(`update weft.activity set at = at - interval '2 hours', until = until - interval '2 hours'`);
    await append(sql, editor, { document: page, session: fixture.editorSession, nFrom: 3, nTo: 3 });
    await saveText(sql, member, fixture, 4, []);
    expect((await list(viewer)).length).toBe(2);

    await sql.call(member, 'trash_document', { document: page });
    await sql.call(owner, 'trash_document', { document: secretPage });
    const trashed = async (by: Caller) =>
      (await list(by)).filter((one) => one.kind === 'trashed').map((one) => one.document);
    expect((await trashed(owner)).toSorted()).toEqual([page, secretPage].toSorted());
    expect(await trashed(member)).toEqual([page]);
    await sql.call(member, 'restore_document', { document: page });
    expect((await list(member)).filter((one) => one.kind === 'restored').map((one) => one.document)).toEqual([page]);
    expect(await list(workspaceGuest)).toEqual([]);
    await sql.call(owner, 'remove_workspace_member', { workspace, person: member.id });
    expect((await list(owner)).map((one) => one.kind)).toContain('left');
    expect((await list(viewer)).map((one) => one.kind)).not.toContain('left');
    // A workspace with activity can be deleted.
    await sql.rows('delete from public.workspaces where id = $1', [workspace]);
    expect((await sql.row('select count(*)::int as count from weft.activity')).count).toBe(0);
  }),
);

test(
  'an import is one line of the activity, and its pages are imported until someone writes in them later',
  withWorkspace(async (sql, fixture) => {
    const { member, owner, stranger } = fixture.people;
    const { workspace } = fixture;
    await sql.rows('delete from weft.activity');
    const pages = Array.from({ length: 3 }, () => randomUUID());
    const create = (by: Person, id: string) =>
      sql.call(by, 'create_document', { id, workspace, parent: null, rank: 'a5', schema_version: 1 });
    await sql.call(member, 'announce_import', { workspace, documents: [...pages, pages[0]] });
    for (const id of pages.slice(0, 2)) await create(member, id);
    const list = () => sql.ask(owner, activityList, 'list_activity', { workspace });
    const line = { kind: 'created', actor: member.id, document: null, title: null, detail: { pages: 2 } };
    expect(await list()).toMatchObject([line]);
    expect(await sql.call(owner, 'list_activity', { workspace })).toHaveLength(1);

    const id = pages[0] ?? '';
    const session = randomUUID();
    const write = async (by: Person, n: number) => {
      await append(sql, by, { document: id, session, nFrom: n, nTo: n });
      await saveText(sql, by, { ...fixture, page: id }, n + 1, []);
    };
    const isImported = async () => (await pageIn(sql, owner, { ...fixture, page: id })).page?.isImported;
    await sql.call(member, 'start_session', { document: id, session, client_id: 70_001, schema_version: 1 });
    await write(member, 1);
    expect(await list()).toMatchObject([line]);
    expect(await isImported()).toBe(true);
    await sql.rows(`update public.documents set created_at = now() - interval '1 hour' where id = $1`, [id]);
    await write(member, 2);
    expect((await list()).map(({ kind, document }) => [kind, document])).toContainEqual(['edited', id]);
    expect(await isImported()).toBe(false);

    // No one else's page of that id counts for the import, and a page that was not announced counts for itself.
    await create(owner, pages[2] ?? '');
    await create(member, randomUUID());
    expect((await list()).filter(({ document, kind }) => kind === 'created' && document !== null)).toHaveLength(2);
    const many = { workspace, documents: Array.from({ length: 501 }, () => randomUUID()) };
    expect(await sql.outcome(() => sql.call(member, 'announce_import', many))).toBe('22023');
    expect(await sql.outcome(() => sql.call(stranger, 'announce_import', { workspace, documents: [] }))).toBe('WF001');
  }),
);

test(
  'the home counts edits of the last hour by minute, and changes of others since the last visit, on readable pages',
  withWorkspace(async (sql, fixture) => {
    const { editor, member, workspaceGuest, owner } = fixture.people;
    const home = (by: Caller) => sql.ask(by, homeSummary, 'home_summary', { workspace: fixture.workspace });
    await sql.call(member, 'mark_visited', { document: fixture.page, seq: 2 });
    await sql.call(editor, 'mark_visited', { document: fixture.page, seq: 2 });
    await append(sql, editor, { document: fixture.page, session: fixture.editorSession, nFrom: 2, nTo: 4 });
    await sql.rows(
      `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update)
       values ($1, 2, gen_random_uuid(), 1, 1, $2, '\\x00')`,
      [fixture.secretPage, owner.id],
    );
    await sql.rows(`update public.document_updates set created_at = now() - interval '90 seconds' where seq = 3`);
    const minutes = Array.from({ length: 60 }, (_, at) => (at === 58 ? 3 : at === 59 ? 1 : 0));
    const seen = await home(member);
    expect(seen).toEqual({
      chart: [{ document: fixture.page, minutes, people: [{ user: editor.id, minutes }] }],
      changes: [{ document: fixture.page, count: 1 }],
    });
    expect((await home(editor)).changes).toEqual([{ document: fixture.page, count: 0 }]);
    expect(await home(workspaceGuest)).toEqual({ chart: [], changes: [] });
    // Who wrote when is part of the history, which the link does not show.
    expect(await home(fixture.people.redeemedEditor)).toEqual({ chart: [], changes: [] });
    await sql.rows('update public.share_links set history = true where id = $1', [fixture.links.editor.id]);
    expect((await home(fixture.people.redeemedEditor)).chart).toEqual(seen.chart);
    expect((await home(owner)).chart.map((one) => one.document).toSorted()).toEqual(
      [fixture.page, fixture.secretPage].toSorted(),
    );
    expect((await sql.refusal(fixture.people.stranger, 'home_summary', { workspace: randomUUID() })).code).toBe(
      'WF001',
    );
  }),
);

test(
  'the home looks at the right to read once for each page, not for each row of the hour',
  withWorkspace(async (sql, fixture) => {
    const { member } = fixture.people;
    await sql.rows(
      `insert into public.document_updates (document_id, seq, session, n_from, n_to, appended_by, update)
       select $1, n, gen_random_uuid(), 1, 1, $2, '\\x00' from generate_series(10, 110) as n`,
      [fixture.page, member.id],
    );
    const looks = await callsOf(sql, 'is_readable', () =>
      sql.call(member, 'home_summary', { workspace: fixture.workspace }),
    );
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(20);
  }),
);
