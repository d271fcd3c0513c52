// The ports for members, access and one’s own account on the embedded backend, as the app calls them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DocumentId, type UserId, parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { randomUuid } from '../../../src/lib/random-uuid.ts';
import type { Result } from '../../../src/lib/result.ts';
import { supabaseMembership } from '../../../src/platform/supabase/membership.ts';
import { supabaseOwnAccount } from '../../../src/platform/supabase/own-account.ts';
import { supabasePageAccess } from '../../../src/platform/supabase/page-access.ts';
import type { OwnAccount } from '../../../src/ports/account.ts';
import type { Membership, PageAccess } from '../../../src/ports/workspace.ts';
import { type WorkspaceId, parseWorkspaceId } from '../../../src/protocol/ids.ts';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { rpc } from '../../support/server/rpc.ts';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ log: () => {} });
});
afterAll(() => backend.close());

function must<T>(value: T | null | undefined): T {
  if (value == null) throw new Error('missing');
  return value;
}
function got<T, E>(answer: Result<T, E>): T {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}
const codeOf = (answer: Result<unknown, { readonly code: string }>) => (answer.ok ? 'ok' : answer.error.code);

type PersonPorts = {
  readonly user: UserId;
  readonly membership: Membership;
  readonly access: PageAccess;
  readonly account: OwnAccount;
};

const portsOf = ({ id, client }: Person): PersonPorts => {
  const user = must(parseUserId(id));
  const project = { url: backend.url, anonKey: backend.server.anonKey };
  return {
    user,
    membership: supabaseMembership(client),
    access: supabasePageAccess(client),
    account: supabaseOwnAccount(client, project, user),
  };
};

async function newWorkspace(owner: Person): Promise<{ workspace: WorkspaceId; document: DocumentId }> {
  const workspace = must(parseWorkspaceId(randomUuid()));
  const document = must(parseDocumentId(randomUuid()));
  await rpc(owner.client, 'create_workspace', { id: workspace, name: 'Harbour', document });
  return { workspace, document };
}

/** Asks for a link that signs in, and opens it. */
async function followMail({ client, email }: Person): Promise<void> {
  const { error } = await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  if (error !== null) throw error;
  const page = await (await fetch(`${backend.url}/__mail`)).text();
  const link = must(/<a href="([^"]+type=magiclink[^"]*)"/.exec(page)?.[1]).replaceAll('&amp;', '&');
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
}

test('people are invited by link and by address, join, get roles and leave', async () => {
  const [owner, friend, other] = [await backend.signUp(), await backend.signUp(), await backend.signUp()];
  const [alice, bob, carol] = [portsOf(owner), portsOf(friend), portsOf(other)];
  const { workspace } = await newWorkspace(owner);
  const link = got(
    await alice.membership.invite({
      workspace,
      role: 'member',
      email: null,
      page: null,
      expiresAt: Date.now() + 60_000,
      maxUses: 5,
    }),
  );
  expect(got(await bob.membership.inviteInfo(link.secret))).toMatchObject({ workspace: 'Harbour', emailHint: null });
  expect(got(await bob.membership.acceptInvite(link.secret))).toMatchObject({ document: null });
  got(
    await alice.membership.invite({
      workspace,
      role: 'admin',
      email: other.email,
      page: null,
      expiresAt: null,
      maxUses: null,
    }),
  );
  // The embedded Auth confirms addresses unseen, so the address counts after its first mail.
  expect(got(await carol.membership.myInvites())).toEqual([]);
  await followMail(other);
  const [offer] = got(await carol.membership.myInvites());
  got(await carol.membership.acceptMyInvite(must(offer).id));
  expect(got(await alice.membership.invites(workspace)).map(({ id }) => id)).toEqual([link.invite.id]);
  got(await alice.membership.revokeInvite(link.invite.id));
  expect(got(await bob.membership.members(workspace)).map(({ user, role, via }) => [user, role, via])).toEqual([
    [alice.user, 'owner', null],
    [carol.user, 'admin', 'email'],
    [bob.user, 'member', 'link'],
  ]);
  got(await alice.membership.setRole(workspace, bob.user, 'guest'));
  got(await bob.membership.remove(workspace, bob.user));
  expect(got(await carol.membership.renameWorkspace(workspace, 'Port')).name).toBe('Port');
  got(await alice.membership.transferWorkspace(workspace, carol.user));
  expect(codeOf(await alice.membership.deleteWorkspace(workspace, 'Port'))).toBe('WF002');
  expect(codeOf(await carol.membership.deleteWorkspace(workspace, 'Other'))).toBe('unknown');
  got(await carol.membership.deleteWorkspace(workspace, 'Port'));
});

test('a request is asked, answered and ended, and the page says why it closed', async () => {
  const [owner, friend] = [await backend.signUp(), await backend.signUp()];
  const [alice, bob] = [portsOf(owner), portsOf(friend)];
  const { document } = await newWorkspace(owner);
  got(await bob.access.request(document, 'editor', 'Please'));
  const [request] = got(await alice.access.requests(document));
  expect(got(await alice.access.answerRequest(must(request).id, 'editor'))).toBe('editor');
  expect(got(await bob.access.people(document)).people.map(({ user, role }) => [user, role])).toEqual([
    [alice.user, 'manager'],
    [bob.user, 'editor'],
  ]);
  expect(got(await alice.access.losers(document, 'restricted'))).toEqual([]);
  expect(got(await alice.access.losersByMove(document, null))).toEqual([]);
  expect(got(await bob.access.whyClosed(document))).toBe(null);
  got(await alice.access.setRole(document, bob.user, null));
  expect(got(await bob.access.whyClosed(document))).toMatchObject({ kind: 'removed', by: alice.user });
  got(await alice.access.setAccess(document, 'restricted', false));
  got(await bob.access.withdrawRequest(document));
});

test('a picture is shown to people who share a workspace, replaced, and gone with the account', async () => {
  const [owner, friend] = [await backend.signUp(), await backend.signUp()];
  const [alice, bob] = [portsOf(owner), portsOf(friend)];
  const { workspace } = await newWorkspace(owner);
  const role = 'member';
  const invite = await alice.membership.invite({
    workspace,
    role,
    email: friend.email,
    page: null,
    expiresAt: null,
    maxUses: null,
  });
  got(await bob.membership.acceptInvite(got(invite).secret));
  const profile = { displayName: 'Bob', color: 'rust' } as const;
  const picture = (byte: number) => new Blob([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, byte)], { type: 'image/png' });
  const first = got(await bob.account.setPicture(profile, picture(1)));
  const { avatarPath } = got(await bob.account.setPicture(profile, picture(2)));
  expect(new Uint8Array(await got(await alice.account.picture(must(avatarPath))).arrayBuffer()).at(-1)).toBe(2);
  expect(codeOf(await alice.account.picture(must(first.avatarPath)))).toBe('WF001');
  const stored = async () => {
    const { rows } = await backend.pg.query(`select name from storage.objects where bucket_id = 'avatars'`);
    return rows.map((row) => Reflect.get(Object(row), 'name'));
  };
  expect(await stored()).toEqual([avatarPath]);
  expect(codeOf(await bob.account.setPicture(profile, new Blob(['<svg>'], { type: 'image/svg+xml' })))).not.toBe('ok');
  expect(
    codeOf(await bob.account.setPicture(profile, new Blob([new Uint8Array(1_048_577)], { type: 'image/png' }))),
  ).not.toBe('ok');
  expect(codeOf(await alice.account.deleteAccount({ displayName: 'Alice', color: 'weld' }))).toBe('WF014');
  got(await bob.account.deleteAccount(profile));
  expect(await stored()).toEqual([]);
  expect(got(await alice.membership.members(workspace)).map(({ user }) => user)).toEqual([alice.user]);
});
