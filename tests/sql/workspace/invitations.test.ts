// Invitations: who may invite whom, whom an invitation lets in and how often, and when it ends.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { acceptedInvite, inviteInfo, inviteList, inviteOffers } from '../../../src/protocol/people-answers.ts';
import type { Caller, Person, Sql } from '../../support/database/sql.ts';
import { confirmEmail, confirmUnseen, invite, inviteArgs, useMail } from '../fixture/invite.ts';
import { useWorkspace } from '../fixture/use-workspace.ts';
import type { WorkspaceFixture } from '../fixture/workspace-fixture.ts';

const withWorkspace = useWorkspace();

const accept = (sql: Sql, by: Caller, secret: string) => sql.ask(by, acceptedInvite, 'accept_invite', { secret });
const outcomeOf = (sql: Sql, by: Caller, secret: string) =>
  sql.outcome(() => sql.call(by, 'accept_invite', { secret }));
const listed = async (sql: Sql, by: Caller, { workspace }: WorkspaceFixture) =>
  (await sql.ask(by, inviteList, 'list_invites', { workspace })).map(({ id }) => id);
const memberOf = async (sql: Sql, workspace: string, { id }: Person) => {
  const [row] = await sql.rows<{ role: string; invited_by: string | null; via: string | null }>(
    'select role, invited_by, via from public.workspace_members where workspace_id = $1 and user_id = $2',
    [workspace, id],
  );
  return row ?? null;
};
const newPerson = async (sql: Sql, name: string): Promise<Person> => {
  const person = await sql.signUp(name);
  await confirmEmail(sql, person);
  return person;
};

test(
  'a link lets several people in, each with its role, and says by whom they were invited',
  withWorkspace(async (sql, fixture) => {
    const { admin, stranger, guest } = fixture.people;
    const { secret } = await invite(sql, admin, fixture, { maxUses: 2 });
    expect(await accept(sql, stranger, secret)).toEqual({ workspaceSlug: fixture.slug, document: null });
    expect(await memberOf(sql, fixture.workspace, stranger)).toEqual({
      role: 'member',
      invited_by: admin.id,
      via: 'link',
    });
    await accept(sql, guest, secret);
    expect(await outcomeOf(sql, await newPerson(sql, 'third'), secret)).toBe('WF009');
  }),
);

test(
  'an answer that got lost is given again, without a second use; a person who was removed is not let in again',
  withWorkspace(async (sql, fixture) => {
    const { admin, stranger } = fixture.people;
    const { secret, invite: made } = await invite(sql, admin, fixture, { maxUses: 2 });
    const first = await accept(sql, stranger, secret);
    expect(await accept(sql, stranger, secret)).toEqual(first);
    expect(await sql.row('select uses from weft.invites where id = $1', [made.id])).toEqual({ uses: 1 });
    await sql.call(admin, 'remove_workspace_member', { workspace: fixture.workspace, person: stranger.id });
    expect(await outcomeOf(sql, stranger, secret)).toBe('WF009');
  }),
);

test(
  'a person who was removed or left, and opens the invitation again, is told so instead of being offered to join',
  withWorkspace(async (sql, fixture) => {
    const { admin, stranger, guest } = fixture.people;
    const { workspace, page } = fixture;
    const opened = (by: Caller, secret: string) => sql.ask(by, inviteInfo, 'invite_info', { secret });
    const { secret } = await invite(sql, admin, fixture, { maxUses: 1 });
    expect(await opened(stranger, secret)).toMatchObject({ hasLeft: false });
    await accept(sql, stranger, secret);
    // Used up, it still leads those in who came by it.
    expect(await opened(stranger, secret)).toMatchObject({ hasLeft: false });
    expect(await sql.outcome(() => opened(guest, secret))).toBe('WF009');
    expect(await sql.outcome(() => opened('anon', secret))).toBe('WF009');
    await sql.call(admin, 'remove_workspace_member', { workspace, person: stranger.id });
    expect(await opened(stranger, secret)).toMatchObject({ hasLeft: true });

    const toPage = await invite(sql, admin, fixture, { document: page });
    await accept(sql, guest, toPage.secret);
    expect(await opened(guest, toPage.secret)).toMatchObject({ hasLeft: false });
    await sql.call(guest, 'remove_workspace_member', { workspace, person: guest.id });
    expect(await opened(guest, toPage.secret)).toMatchObject({ hasLeft: true });
    expect(await opened('anon', toPage.secret)).toMatchObject({ hasLeft: false });
  }),
);

test(
  'a member who tries a link out neither uses it up nor loses a higher role',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin } = fixture.people;
    const { secret, invite: made } = await invite(sql, owner, fixture, { role: 'guest', maxUses: 1 });
    await accept(sql, admin, secret);
    expect((await memberOf(sql, fixture.workspace, admin))?.role).toBe('admin');
    expect(await sql.row('select uses from weft.invites where id = $1', [made.id])).toEqual({ uses: 0 });
    await accept(sql, fixture.people.stranger, secret);
  }),
);

test(
  'a guest of the workspace who accepts an invitation as a member becomes one',
  withWorkspace(async (sql, fixture) => {
    const { secret } = await invite(sql, fixture.people.admin, fixture);
    await accept(sql, fixture.people.workspaceGuest, secret);
    expect((await memberOf(sql, fixture.workspace, fixture.people.workspaceGuest))?.role).toBe('member');
  }),
);

test(
  'an expired, a revoked, a used up, a declined and a wrong secret get the same answer',
  withWorkspace(async (sql, fixture) => {
    const { admin, stranger, viewer } = fixture.people;
    await confirmEmail(sql, viewer);
    const dead: string[] = ['A'.repeat(22), '', 'x'.repeat(100_000)];
    const expired = await invite(sql, admin, fixture);
    await sql.rows('update weft.invites set expires_at = now() where id = $1', [expired.invite.id]);
    const revoked = await invite(sql, admin, fixture);
    await sql.call(admin, 'revoke_invite', { invite: revoked.invite.id });
    await sql.call(admin, 'revoke_invite', { invite: revoked.invite.id });
    const used = await invite(sql, admin, fixture, { maxUses: 1 });
    await accept(sql, fixture.people.guest, used.secret);
    const declined = await invite(sql, admin, fixture, { email: 'viewer@example.org' });
    await sql.call(viewer, 'decline_invite', { invite: declined.invite.id });
    dead.push(expired.secret, revoked.secret, used.secret, declined.secret);
    const refusals = [];
    for (const secret of dead) {
      refusals.push(await sql.refusal(stranger, 'accept_invite', { secret }));
      const { detail: _, ...told } = await sql.refusal('anon', 'invite_info', { secret });
      expect(told).toEqual({ code: 'WF009', message: 'This link no longer works.' });
    }
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(await listed(sql, admin, fixture)).toEqual([]);
  }),
);

test(
  'an invitation ends when its author may no longer invite, so that no one comes back through a link of their own',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin, stranger } = fixture.people;
    const { secret } = await invite(sql, admin, fixture);
    const removed = () =>
      sql.call(owner, 'remove_workspace_member', { workspace: fixture.workspace, person: admin.id });
    const lowered = () =>
      sql.call(owner, 'set_workspace_role', { workspace: fixture.workspace, person: admin.id, role: 'member' });
    await lowered();
    expect(await outcomeOf(sql, stranger, secret)).toBe('WF009');
    expect(await outcomeOf(sql, admin, secret)).toBe('WF009');
    await removed();
    expect(await outcomeOf(sql, admin, secret)).toBe('WF009');

    const page = await invite(sql, fixture.people.manager, fixture, { document: fixture.page });
    await sql.call(owner, 'set_document_member', {
      document: fixture.page,
      person: fixture.people.manager.id,
      role: 'editor',
    });
    expect(await outcomeOf(sql, stranger, page.secret)).toBe('WF009');
  }),
);

test(
  'an invitation to an address is for the person who confirmed it, and for no one else who has the link',
  withWorkspace(async (sql, fixture) => {
    const { admin, stranger, viewer } = fixture.people;
    const made = await invite(sql, admin, fixture, { email: '  Viewer@Example.org ' });
    expect(made.invite).toMatchObject({ email: 'viewer@example.org', maxUses: 1 });
    await confirmEmail(sql, stranger);
    const mine = (by: Caller) => sql.ask(by, inviteOffers, 'my_invites', {});
    const byId = (by: Caller) => sql.outcome(() => sql.call(by, 'accept_invite_by_id', { invite: made.invite.id }));
    // The address of `viewer` is not confirmed yet.
    for (const person of [stranger, viewer, fixture.people.guest, admin]) {
      expect([await outcomeOf(sql, person, made.secret), await byId(person), await mine(person)]).toEqual([
        'WF009',
        'WF009',
        [],
      ]);
    }
    await confirmEmail(sql, viewer);
    const [offer] = await mine(viewer);
    expect(offer).toMatchObject({ id: made.invite.id, workspace: fixture.slug, inviter: 'admin', role: 'member' });
    expect(await outcomeOf(sql, viewer, made.secret)).toBe('ok');
    expect(await byId(viewer)).toBe('ok');
    await sql.call(viewer, 'accept_invite_by_id', { invite: made.invite.id });
    expect((await memberOf(sql, fixture.workspace, viewer))?.via).toBe('email');
    expect(await mine(viewer)).toEqual([]);
  }),
);

test(
  'an address that Auth confirmed unseen counts beside the secret alone; its first mail shows the invitations',
  withWorkspace(async (sql, fixture) => {
    const { admin, viewer, guest } = fixture.people;
    const toViewer = await invite(sql, admin, fixture, { email: 'viewer@example.org', role: 'admin' });
    const toGuest = await invite(sql, admin, fixture, { email: 'guest@example.org' });
    // A guest who set an address and a password is the same case.
    await sql.rows(`update auth.users set email = 'guest@example.org', is_anonymous = false where id = $1`, [guest.id]);
    for (const [person, made] of [
      [viewer, toViewer],
      [guest, toGuest],
    ] as const) {
      await confirmUnseen(sql, person);
      const byId = await sql.outcome(() => sql.call(person, 'accept_invite_by_id', { invite: made.invite.id }));
      const decline = await sql.outcome(() => sql.call(person, 'decline_invite', { invite: made.invite.id }));
      expect([byId, decline, await sql.ask(person, inviteOffers, 'my_invites', {})]).toEqual(['WF009', 'WF009', []]);
      const told = await sql.rows(`select from weft.notifications where user_id = $1 and kind = 'invite'`, [person.id]);
      expect(told).toEqual([]);
    }
    expect(await outcomeOf(sql, guest, toGuest.secret)).toBe('ok');
    await useMail(sql, viewer);
    expect(await sql.ask(viewer, inviteOffers, 'my_invites', {})).toMatchObject([{ id: toViewer.invite.id }]);
    const told = await sql.rows(`select from weft.notifications where user_id = $1 and kind = 'invite'`, [viewer.id]);
    expect(told).toHaveLength(1);
  }),
);

test(
  'neither a new password nor a mail to the account’s earlier address proves an address',
  withWorkspace(async (sql, fixture) => {
    const { admin, viewer } = fixture.people;
    await invite(sql, admin, fixture, { email: 'viewer@example.org' });
    await confirmUnseen(sql, viewer);
    const offers = () => sql.ask(viewer, inviteOffers, 'my_invites', {});
    const set = (columns: string) => sql.rows(`update auth.users set ${columns} where id = $1`, [viewer.id]);
    await set(`recovery_token = 'a', recovery_sent_at = now()`);
    await set(`recovery_token = '', recovery_sent_at = null, encrypted_password = 'b'`);
    expect(await offers()).toEqual([]);
    await set(`email = 'mine@example.org'`);
    await set(`recovery_token = 'c', recovery_sent_at = now()`);
    await set(`email = 'viewer@example.org'`);
    await set(`recovery_token = ''`);
    expect(await offers()).toEqual([]);
    await useMail(sql, viewer);
    expect(await offers()).toHaveLength(1);
  }),
);

test(
  'a new invitation of the same address for the same place ends the earlier one',
  withWorkspace(async (sql, fixture) => {
    const { admin } = fixture.people;
    const bob = await newPerson(sql, 'bob');
    const first = await invite(sql, admin, fixture, { email: 'bob@example.org' });
    const second = await invite(sql, admin, fixture, { email: 'bob@example.org', role: 'guest' });
    const page = await invite(sql, admin, fixture, { email: 'bob@example.org', document: fixture.page });
    expect(new Set(await listed(sql, admin, fixture))).toEqual(new Set([second.invite.id, page.invite.id]));
    expect(await outcomeOf(sql, bob, first.secret)).toBe('WF009');
    expect(await outcomeOf(sql, bob, second.secret)).toBe('ok');
  }),
);

test(
  'a manager of a page invites guests to it; they see this page, and list_invites names no page to others',
  withWorkspace(async (sql, fixture) => {
    const { manager, admin, owner, stranger, editor } = fixture.people;
    const made = await invite(sql, manager, fixture, { document: fixture.page, documentRole: 'commenter' });
    const secret = await invite(sql, owner, fixture, { document: fixture.secretPage });
    expect(await accept(sql, stranger, made.secret)).toEqual({ workspaceSlug: fixture.slug, document: fixture.page });
    expect((await memberOf(sql, fixture.workspace, stranger))?.role).toBe('guest');
    expect(await sql.row('select weft.document_role($1, $2) as role', [fixture.page, stranger.id])).toEqual({
      role: 'commenter',
    });
    expect(await listed(sql, manager, fixture)).toEqual([made.invite.id]);
    expect(await listed(sql, admin, fixture)).toEqual([made.invite.id]);
    expect(new Set(await listed(sql, owner, fixture))).toEqual(new Set([made.invite.id, secret.invite.id]));
    const refused = async (by: Caller, options: Parameters<typeof inviteArgs>[1]) =>
      sql.outcome(() => sql.call(by, 'create_invite', inviteArgs(fixture.workspace, options)));
    expect(await refused(editor, { document: fixture.page })).toBe('WF002');
    expect(await refused(admin, { document: fixture.secretPage })).toBe('WF001');
    expect(await refused(manager, {})).toBe('WF001');
    const elsewhere = randomUUID();
    await sql.call(stranger, 'create_workspace', { id: randomUUID(), name: 'Other', document: elsewhere });
    expect(await refused(stranger, { document: elsewhere })).toBe('WF001');
  }),
);

test(
  'the page’s role is raised, never lowered, and a page in the trash takes no guests',
  withWorkspace(async (sql, fixture) => {
    const { manager, editor, stranger } = fixture.people;
    const { secret } = await invite(sql, manager, fixture, { document: fixture.page });
    await accept(sql, editor, secret);
    expect(await sql.row('select weft.document_role($1, $2) as role', [fixture.page, editor.id])).toEqual({
      role: 'editor',
    });
    await sql.rows('update public.documents set trashed_at = now() where id = $1', [fixture.page]);
    expect(await outcomeOf(sql, stranger, secret)).toBe('WF009');
  }),
);

test(
  'roles that manage others are offered to named people only, and an owner to no one',
  withWorkspace(async (sql, fixture) => {
    const { owner, admin } = fixture.people;
    const codeOf = (options: Parameters<typeof inviteArgs>[1], by: Caller = owner) =>
      sql.outcome(() => sql.call(by, 'create_invite', inviteArgs(fixture.workspace, options)));
    expect(await codeOf({ role: 'admin' })).toBe('22023');
    expect(await codeOf({ role: 'admin', email: 'x@example.org' }, admin)).toBe('ok');
    expect(await codeOf({ role: 'owner', email: 'x@example.org' })).toBe('22023');
    expect(await codeOf({ document: fixture.page, documentRole: 'manager' })).toBe('22023');
    expect(await codeOf({ document: fixture.page, documentRole: 'manager', email: 'x@example.org' })).toBe('ok');
    expect(await codeOf({ document: fixture.page, role: 'member' })).toBe('22023');
    expect(await codeOf({ role: 'king' })).toBe('22023');
    for (const email of ['x', '@', 'a b@example.org', 'a@b@c', `${'x'.repeat(250)}@example.org`, 'a@\u0001'])
      expect([email, await codeOf({ email })]).toEqual([email, '22023']);
    for (const expiresAt of ['1999-01-01T00:00:00Z', '3000-01-01T00:00:00Z'])
      expect(await codeOf({ expiresAt })).toBe('22023');
    for (const maxUses of [0, -1, 1001]) expect(await codeOf({ maxUses })).toBe('22023');
  }),
);

test(
  'a link says what it offers without an account, and hides the address that it is for',
  withWorkspace(async (sql, fixture) => {
    const made = await invite(sql, fixture.people.admin, fixture, { email: 'viewer@example.org' });
    expect(await sql.ask('anon', inviteInfo, 'invite_info', { secret: made.secret })).toMatchObject({
      workspace: fixture.slug,
      inviter: 'admin',
      role: 'member',
      documentRole: null,
      emailHint: 'v…@example.org',
    });
    const link = await invite(sql, fixture.people.admin, fixture);
    expect((await sql.ask('anon', inviteInfo, 'invite_info', { secret: link.secret })).emailHint).toBe(null);
    expect(link.invite.expiresAt - link.invite.createdAt).toBe(7 * 24 * 3600 * 1000);
  }),
);

test(
  'admins and the invited person learn of an invitation from their own topics; others do not',
  withWorkspace(async (sql, fixture) => {
    const { admin, owner, viewer } = fixture.people;
    let id = '';
    const inviteViewer = async () => {
      ({ id } = (await invite(sql, admin, fixture, { email: 'viewer@example.org' })).invite);
    };
    // The address may be another person's until a mail was used.
    const unproven = await sql.sentDuring(inviteViewer);
    expect(unproven.map(({ topic }) => topic)).not.toContain(`u:${viewer.id}`);
    await confirmEmail(sql, viewer);
    await sql.call(admin, 'revoke_invite', { invite: id });
    const told = await sql.sentDuring(inviteViewer);
    expect(new Set(told.map(({ topic }) => topic))).toEqual(
      new Set([admin, owner, viewer].map((person) => `u:${person.id}`)),
    );
    expect(told.map(({ json }) => json)).toContainEqual(expect.objectContaining({ kind: 'invite', op: 'created', id }));
  }),
);

test(
  'guests who arrive where someone has their name get a number; others keep theirs',
  withWorkspace(async (sql, fixture) => {
    const nameOf = async ({ id }: Person) =>
      (await sql.row('select display_name from public.profiles where id = $1', [id]))['display_name'];
    // `redeemedEditor` of the fixture is called Guest.
    const { secret } = await invite(sql, fixture.people.admin, fixture, { role: 'guest' });
    const names = [];
    for (let n = 0; n < 3; n++) {
      const person = await sql.signUp('', { guest: true });
      await accept(sql, person, secret);
      names.push(await nameOf(person));
    }
    expect(names).toEqual(['Guest 2', 'Guest 3', 'Guest 4']);
    const named = await sql.signUp('Guestling');
    await accept(sql, named, secret);
    expect(await nameOf(named)).toBe('Guestling');
    const alone = await sql.signUp('', { guest: true });
    const page = randomUUID();
    await sql.call(alone, 'create_workspace', { id: randomUUID(), name: 'Mine', document: page });
    expect(await nameOf(alone)).toBe('Guest');
  }),
);

test(
  'a guest who gets a number in one workspace shares it with no guest of another one that they are in',
  withWorkspace(async (sql, fixture) => {
    const owner = await newPerson(sql, 'Owner');
    const workspace = randomUUID();
    await sql.call(owner, 'create_workspace', { id: workspace, name: 'Theirs', document: randomUUID() });
    const theirs = await invite(sql, owner, { workspace }, { role: 'guest' });
    const [first, second] = [await sql.signUp('', { guest: true }), await sql.signUp('', { guest: true })];
    for (const person of [first, second]) await accept(sql, person, theirs.secret);
    const ours = await invite(sql, fixture.people.admin, fixture, { role: 'guest' });
    await accept(sql, first, ours.secret);
    const names = await sql.rows('select display_name as name from public.profiles where id = any ($1) order by name', [
      [first.id, second.id],
    ]);
    expect(names).toEqual([{ name: 'Guest 2' }, { name: 'Guest 3' }]);
  }),
);
