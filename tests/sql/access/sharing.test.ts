// Giving and taking away rights: members, links, and how topics move when someone loses a right.
import { expect, test } from 'vitest';
import { openAnswer, rowsAnswer } from 'weft-sync/protocol/log-answers.ts';
import { createdLink, documentChanges, documentSummary, redeemedLink } from '../../../src/protocol/answers.ts';
import type { Caller, Message, Person, Sql } from '../../support/database/sql.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import { type WorkspaceFixture, append, shareLink, startSession } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const setMember = (sql: Sql, by: Caller, document: string, user: Person, role: string | null) =>
  sql.call(by, 'set_document_member', { document, person: user.id, role });
const redeem = (sql: Sql, by: Caller, secret: string) => sql.ask(by, redeemedLink, 'redeem_share_link', { secret });
const revoke = (sql: Sql, fixture: WorkspaceFixture, link: { readonly id: string }) =>
  sql.call(fixture.people.owner, 'revoke_share_link', { link: link.id });
const roleOn = async (sql: Sql, person: Person, document: string) =>
  (await sql.row<{ role: string | null }>('select weft.document_role($1, $2) as role', [document, person.id])).role;
const epochOf = async (sql: Sql, document: string) =>
  (await sql.row<{ epoch: string }>('select weft.topic_epoch($1) as epoch', [document])).epoch;
/** All messages on the topics of documents and links; change-stream.test.ts has the others. */
const topics = (messages: readonly Message[]) =>
  messages
    .filter((message) => !/^[ku]:/.test(message.topic))
    .map((message) => [message.topic, message.event, message.json]);
const moved = (document: string, from: string, to: string) => [
  [`d:${document}:${from}`, 'moved', { epoch: to }],
  [`v:${document}:${from}`, 'moved', { epoch: to }],
];

test(
  'giving or raising a role moves no topics; lowering or removing it moves those of the page and of all that inherit from it',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger } = fixture.people;
    const set = (role: string | null) =>
      sql.sentDuring(async () => expect(await setMember(sql, owner, fixture.page, stranger, role)).toEqual({ role }));
    expect(topics(await set('viewer'))).toEqual([]);
    expect(topics(await set('editor'))).toEqual([]);
    expect(topics(await set('editor'))).toEqual([]);
    expect(await epochOf(sql, fixture.page)).toBe('1.1');
    expect([await roleOn(sql, stranger, fixture.page), await roleOn(sql, stranger, fixture.subpage)]).toEqual([
      'editor',
      'editor',
    ]);

    const lowered = topics(await set('viewer'));
    expect(lowered.toSorted()).toEqual(
      [...moved(fixture.page, '1.1', '2.1'), ...moved(fixture.subpage, '1.1', '2.1')].toSorted(),
    );
    expect(await roleOn(sql, stranger, fixture.page)).toBe('viewer');
    const taken = topics(await set(null));
    expect(taken.toSorted()).toEqual(
      [...moved(fixture.page, '2.1', '3.1'), ...moved(fixture.subpage, '2.1', '3.1')].toSorted(),
    );
    expect(await roleOn(sql, stranger, fixture.page)).toBe(null);
    // Removing a role that the person does not have changes nothing.
    expect(topics(await set(null))).toEqual([]);
    expect(await epochOf(sql, fixture.page)).toBe('3.1');
  }),
);

test(
  'the topics of a page that does not inherit do not move',
  withWorkspace(async (sql, fixture) => {
    await sql.rows(`update public.documents set access = 'restricted' where id = $1`, [fixture.subpage]);
    await setMember(sql, fixture.people.owner, fixture.page, fixture.people.editor, null);
    expect([await epochOf(sql, fixture.page), await epochOf(sql, fixture.subpage)]).toEqual(['2.1', '1.1']);
  }),
);

test(
  'a person who lost their role can join neither the old topic nor the new one; one who kept it joins the new one',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor, commenter } = fixture.people;
    const receives = async (person: Person, epoch: string) =>
      (await sql.topicRights(person, `d:${fixture.page}:${epoch}`)).receive;
    expect([await receives(editor, '1.1'), await receives(commenter, '1.1')]).toEqual([true, true]);
    await setMember(sql, owner, fixture.page, editor, null);
    expect([await receives(editor, '1.1'), await receives(editor, '2.1')]).toEqual([false, false]);
    expect([await receives(commenter, '1.1'), await receives(commenter, '2.1')]).toEqual([false, true]);
    // The workspace's epoch moves every page in it.
    await sql.rows('update public.workspaces set epoch = 2 where id = $1', [fixture.workspace]);
    expect([await receives(commenter, '2.1'), await receives(commenter, '2.2')]).toEqual([false, true]);
  }),
);

test(
  'an unknown role or an unknown person is refused',
  withWorkspace(async (sql, fixture) => {
    const { manager, stranger } = fixture.people;
    const code = (user: string, role: string | null) =>
      sql.outcome(() => sql.call(manager, 'set_document_member', { document: fixture.page, person: user, role }));
    expect(await code(stranger.id, 'manager')).toBe('ok');
    expect(await code(stranger.id, 'owner')).toBe('22023');
    expect(await code(stranger.id, '')).toBe('22023');
    expect(await code(fixture.page, 'viewer')).toBe('WF001');
  }),
);

test(
  'a manager may leave, and the workspace’s owner still manages the page',
  withWorkspace(async (sql, fixture) => {
    const { manager, owner } = fixture.people;
    await setMember(sql, manager, fixture.page, manager, null);
    expect(await roleOn(sql, manager, fixture.page)).toBe(null);
    expect((await sql.refusal(manager, 'open_document', { document: fixture.page, since: 0 })).code).toBe('WF001');
    expect(await roleOn(sql, owner, fixture.page)).toBe('manager');
  }),
);

test(
  'creating a link returns its secret, which the database does not store',
  withWorkspace(async (sql, fixture) => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const made = await sql.ask(fixture.people.manager, createdLink, 'create_share_link', {
      document: fixture.page,
      role: 'editor',
      expires_at: expiresAt,
    });
    expect(made.link).toMatchObject({
      documentId: fixture.page,
      role: 'editor',
      expiresAt: Date.parse(expiresAt),
      revokedAt: null,
      createdBy: fixture.people.manager.id,
    });
    const stored = await sql.row<{ everything: string }>(
      'select l::text as everything from public.share_links as l where id = $1',
      [made.link.id],
    );
    expect(stored.everything).not.toContain(made.secret);
    expect(stored.everything).not.toContain(Buffer.from(made.secret).toString('hex'));
    const another = await sql.ask(fixture.people.manager, createdLink, 'create_share_link', {
      document: fixture.page,
      role: 'editor',
      expires_at: null,
    });
    expect(another.secret).not.toBe(made.secret);
  }),
);

test(
  'a link with an impossible role or expiry is refused',
  withWorkspace(async (sql, fixture) => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const code = (role: string | null, expiresAt: string | null) =>
      sql.outcome(() =>
        sql.call(fixture.people.owner, 'create_share_link', { document: fixture.page, role, expires_at: expiresAt }),
      );
    expect(await code('viewer', null)).toBe('ok');
    expect(await code('commenter', inDays(1))).toBe('ok');
    expect(await code('editor', inDays(364))).toBe('ok');
    for (const [role, expiresAt] of [
      ['manager', null],
      ['', null],
      [null, null],
      ['viewer', inDays(-1)],
      ['viewer', inDays(367)],
    ] as const) {
      expect([role, expiresAt, await code(role, expiresAt)]).toEqual([role, expiresAt, '22023']);
    }
  }),
);

test(
  'redeeming a link gives its role to anyone with the secret, guests included, and only once',
  withWorkspace(async (sql, fixture) => {
    const { guest, stranger } = fixture.people;
    expect(await redeem(sql, guest, fixture.links.editor.secret)).toEqual({
      document: fixture.page,
      workspaceSlug: fixture.slug,
      role: 'editor',
    });
    expect(await redeem(sql, guest, fixture.links.editor.secret)).toMatchObject({ role: 'editor' });
    const rows = () =>
      sql.rows('select role, via_link from public.document_members where user_id = $1 order by role', [guest.id]);
    expect(await rows()).toEqual([{ role: 'editor', via_link: fixture.links.editor.id }]);
    // A link with a lower role gives nothing, and one with a higher role gives that.
    for (const link of [fixture.links.viewer, fixture.links.commenter])
      expect(await redeem(sql, guest, link.secret)).toMatchObject({ role: 'editor' });
    expect((await rows()).length).toBe(1);
    await redeem(sql, stranger, fixture.links.commenter.secret);
    expect(await redeem(sql, stranger, fixture.links.editor.secret)).toMatchObject({ role: 'editor' });

    const session = await startSession(sql, guest, fixture.page);
    const answer = await append(sql, guest, { document: fixture.page, session: session.session, nFrom: 1, nTo: 1 });
    expect(answer).toMatchObject({ seq: 3, role: 'editor' });
  }),
);

test(
  'a link to watch is not redeemed: a person with no other role on the page gets none, and people with one keep it',
  withWorkspace(async (sql, fixture) => {
    const { linkWatcher, guest, workspaceGuest, redeemedCommenter, viewer } = fixture.people;
    const { secret } = fixture.links.viewer;
    for (const person of [linkWatcher, guest, workspaceGuest]) {
      expect((await sql.refusal(person, 'redeem_share_link', { secret })).code).toBe('WF002');
      expect(await roleOn(sql, person, fixture.page)).toBe(null);
    }
    expect(await redeem(sql, redeemedCommenter, secret)).toMatchObject({ role: 'commenter' });
    expect(await redeem(sql, viewer, secret)).toMatchObject({ role: 'viewer' });
    const [link] = await sql.rows('select uses from public.share_links where id = $1', [fixture.links.viewer.id]);
    expect(link).toEqual({ uses: 0 });
    // No other way gives such a role either.
    const insert = `insert into public.document_members (document_id, user_id, role, via_link) values ($1, $2, 'viewer', $3)`;
    const made = () => sql.as('service', insert, [fixture.page, guest.id, fixture.links.viewer.id]);
    expect(await sql.outcome(made)).toBe('23514');
  }),
);

test(
  'redeeming a link does not change a role that is as high or higher',
  withWorkspace(async (sql, fixture) => {
    const { manager, member, viewer } = fixture.people;
    expect(await redeem(sql, manager, fixture.links.editor.secret)).toMatchObject({ role: 'manager' });
    expect(await redeem(sql, member, fixture.links.viewer.secret)).toMatchObject({ role: 'editor' });
    expect(await redeem(sql, viewer, fixture.links.editor.secret)).toMatchObject({ role: 'editor' });
    // When the link ends, the role that a manager gave stays.
    await revoke(sql, fixture, fixture.links.editor);
    expect(await roleOn(sql, manager, fixture.page)).toBe('manager');
    expect(await roleOn(sql, member, fixture.page)).toBe('editor');
    expect(await roleOn(sql, viewer, fixture.page)).toBe('viewer');
  }),
);

test(
  'a link shows one page without its subpages; its guest keeps seeing the subpages they create while the link is active',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor, viewer } = fixture.people;
    const list = async (person: Person) =>
      (await sql.ask(person, documentChanges, 'list_documents', { workspace: fixture.workspace })).documents.map(
        (document) => document.id,
      );
    expect(await list(redeemedEditor)).toEqual([fixture.page]);
    expect(await list(viewer)).toEqual(expect.arrayContaining([fixture.page, fixture.subpage]));
    expect((await sql.refusal(redeemedEditor, 'open_document', { document: fixture.subpage, since: 0 })).code).toBe(
      'WF001',
    );

    const id = '11111111-1111-4111-8111-111111111111';
    const args = { id, workspace: fixture.workspace, parent: fixture.page, rank: 'a7' };
    const made = await sql.ask(redeemedEditor, documentSummary, 'create_document', args);
    expect(made).toMatchObject({ id, role: 'editor', access: 'inherit' });
    expect((await list(redeemedEditor)).toSorted()).toEqual([fixture.page, id].toSorted());

    await revoke(sql, fixture, fixture.links.editor);
    expect(await sql.outcome(() => list(redeemedEditor))).toBe('WF001');
    expect(await epochOf(sql, id)).toBe('2.1');
    expect(await roleOn(sql, fixture.people.owner, id)).toBe('manager');
  }),
);

test(
  'revoking a link informs its watchers, removes the roles it gave and moves the topics; a repeated call does nothing',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor } = fixture.people;
    const sent = await sql.sentDuring(async () => expect(await revoke(sql, fixture, fixture.links.editor)).toEqual({}));
    expect(topics(sent)).toEqual([
      [`w:${fixture.links.editor.topicKey}`, 'ended', {}],
      ...moved(fixture.page, '1.1', '2.1'),
    ]);
    expect(sent.filter((message) => message.topic === `u:${redeemedEditor.id}`).length).toBe(1);
    expect(await roleOn(sql, redeemedEditor, fixture.page)).toBe(null);
    const again = await sql.sentDuring(async () =>
      expect(await revoke(sql, fixture, fixture.links.editor)).toEqual({}),
    );
    expect(again).toEqual([]);
    expect(await epochOf(sql, fixture.page)).toBe('2.1');
  }),
);

test(
  'revoking a link that no one redeemed moves no topics',
  withWorkspace(async (sql, fixture) => {
    const link = await shareLink(sql, fixture.people.owner, fixture.page, 'viewer');
    const sent = await sql.sentDuring(() => revoke(sql, fixture, link));
    expect(topics(sent)).toEqual([[`w:${link.topicKey}`, 'ended', {}]]);
    expect(await epochOf(sql, fixture.page)).toBe('1.1');
  }),
);

test(
  'an unknown link can neither be revoked nor redeemed',
  withWorkspace(async (sql, fixture) => {
    const { owner, stranger } = fixture.people;
    expect((await sql.refusal(owner, 'revoke_share_link', { link: fixture.page })).code).toBe('WF001');
    for (const secret of ['', 'x', fixture.links.viewer.topicKey]) {
      expect((await sql.refusal(stranger, 'redeem_share_link', { secret })).code).toBe('WF009');
    }
    await revoke(sql, fixture, fixture.links.viewer);
    expect((await sql.refusal(stranger, 'redeem_share_link', { secret: fixture.links.viewer.secret })).code).toBe(
      'WF009',
    );
  }),
);

test(
  'an expired link gives no roles, and the next call of a reader removes those it gave and moves the topics',
  withWorkspace(async (sql, fixture) => {
    const { redeemedEditor, viewer } = fixture.people;
    await sql.rows(`update public.share_links set expires_at = now() - interval '1 second' where id = $1`, [
      fixture.links.editor.id,
    ]);
    expect(await roleOn(sql, redeemedEditor, fixture.page)).toBe(null);
    const args = { document: fixture.page, seq: 0, row_limit: 500 };
    expect((await sql.refusal(redeemedEditor, 'rows_since', args)).code).toBe('WF001');

    const sent = await sql.sentDuring(async () =>
      expect((await sql.ask(viewer, rowsAnswer, 'rows_since', args)).epoch).toBe('2.1'),
    );
    expect(topics(sent)).toEqual(moved(fixture.page, '1.1', '2.1'));
    expect(await sql.sentDuring(() => sql.ask(viewer, rowsAnswer, 'rows_since', args))).toEqual([]);
  }),
);

test(
  'a role given by a manager replaces one from a link, even if it is lower',
  withWorkspace(async (sql, fixture) => {
    const { owner, redeemedEditor, redeemedCommenter } = fixture.people;
    const sent = await sql.sentDuring(() => setMember(sql, owner, fixture.page, redeemedEditor, 'commenter'));
    expect(topics(sent)[0]?.[1]).toBe('moved');
    expect(await roleOn(sql, redeemedEditor, fixture.page)).toBe('commenter');
    await setMember(sql, owner, fixture.page, redeemedCommenter, null);
    expect(await roleOn(sql, redeemedCommenter, fixture.page)).toBe(null);
  }),
);

test(
  'a person who lost their role can no longer open the page; one who kept it can',
  withWorkspace(async (sql, fixture) => {
    const { owner, editor, viewer } = fixture.people;
    const open = { document: fixture.page, since: 0 };
    await sql.ask(editor, openAnswer, 'open_document', open);
    await setMember(sql, owner, fixture.page, editor, null);
    expect((await sql.refusal(editor, 'open_document', open)).code).toBe('WF001');
    await sql.ask(viewer, openAnswer, 'open_document', open);
  }),
);

test(
  'restricting a page takes away default and inherited roles, moves the topics, and keeps the caller as a manager',
  withWorkspace(async (sql, fixture) => {
    const { admin, manager, member, owner } = fixture.people;
    const access = (by: Caller, document: string, to: string | null) =>
      sql.call(by, 'set_document_access', { document, access: to });
    const restricted = await sql.sentDuring(async () =>
      expect(await access(admin, fixture.page, 'restricted')).toEqual({ access: 'restricted' }),
    );
    expect(topics(restricted).filter(([, event]) => event === 'moved')).toEqual(
      expect.arrayContaining([...moved(fixture.page, '1.1', '2.1'), ...moved(fixture.subpage, '1.1', '2.1')]),
    );
    const roles = async (document: string) => [
      await roleOn(sql, admin, document),
      await roleOn(sql, manager, document),
      await roleOn(sql, member, document),
      await roleOn(sql, owner, document),
    ];
    expect(await roles(fixture.page)).toEqual(['manager', 'manager', null, 'manager']);
    expect(await roles(fixture.subpage)).toEqual(['manager', 'manager', null, 'manager']);
    // A repeated call publishes nothing.
    expect(await sql.sentDuring(() => access(admin, fixture.page, 'restricted'))).toEqual([]);
    expect(await epochOf(sql, fixture.page)).toBe('2.1');

    await access(manager, fixture.subpage, 'restricted');
    expect(await roles(fixture.subpage)).toEqual([null, 'manager', null, 'manager']);
    await access(owner, fixture.page, 'workspace');
    expect(await roles(fixture.page)).toEqual(['manager', 'manager', 'editor', 'manager']);
    await access(manager, fixture.subpage, 'inherit');
    expect(await roles(fixture.subpage)).toEqual(['manager', 'manager', 'editor', 'manager']);
  }),
);

test(
  'restricting a page ends its links in the same transaction, if the manager asks for it, and moves each topic once',
  withWorkspace(async (sql, fixture) => {
    const { manager, redeemedEditor, redeemedCommenter } = fixture.people;
    const restrict = (revoke_links: boolean) =>
      sql.call(manager, 'set_document_access', { document: fixture.page, access: 'restricted', revoke_links });
    const activeLinks = async () =>
      (await sql.rows('select from public.share_links where document_id = $1 and revoked_at is null', [fixture.page]))
        .length;
    const linkRoles = async () => [
      await roleOn(sql, redeemedEditor, fixture.page),
      await roleOn(sql, redeemedCommenter, fixture.page),
    ];
    const before = await activeLinks();
    expect(before).toBeGreaterThan(1);
    expect(await linkRoles()).toEqual(['editor', 'commenter']);
    await restrict(false);
    expect([await activeLinks(), await linkRoles()]).toEqual([before, ['editor', 'commenter']]);

    await sql.call(manager, 'set_document_access', { document: fixture.page, access: 'workspace' });
    const sent = topics(await sql.sentDuring(() => restrict(true)));
    expect([await activeLinks(), await linkRoles()]).toEqual([0, [null, null]]);
    expect(sent.filter(([, event]) => event === 'ended')).toHaveLength(before);
    const old = await epochOf(sql, fixture.page);
    const moves = sent.filter(([topic, event]) => event === 'moved' && String(topic).startsWith(`d:${fixture.page}:`));
    expect([moves.length, old]).toEqual([1, '4.1']);
    // A call that is repeated because its answer got lost changes nothing.
    expect(await sql.sentDuring(() => restrict(true))).toEqual([]);
    expect(await sql.call(redeemedEditor, 'why_closed', { document: fixture.page })).toMatchObject({
      kind: 'link',
      by: manager.id,
    });
  }),
);

test(
  'an unknown access, or `inherit` for a top-level page, is refused',
  withWorkspace(async (sql, fixture) => {
    const code = (document: string | null, access: string | null) =>
      sql.outcome(() => sql.call(fixture.people.manager, 'set_document_access', { document, access }));
    expect(await code(fixture.subpage, 'inherit')).toBe('ok');
    expect(await code(fixture.page, 'workspace')).toBe('ok');
    for (const access of ['inherit', 'public', '', null])
      expect([access, await code(fixture.page, access)]).toEqual([access, '22023']);
    expect(await code(null, 'restricted')).toBe('WF001');
  }),
);
