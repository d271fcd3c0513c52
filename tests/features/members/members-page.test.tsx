import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { MembersPage } from '../../../src/features/members/members-page.tsx';
import { err } from '../../../src/lib/result.ts';
import type { WorkspaceRole } from '../../../src/protocol/roles.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { alice, appFixture, bob, documentId, northquay, userId } from '../../support/app/app-fixture.ts';
import { memberOf } from '../../support/app/memory-membership.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function renderMembers(
  mine: WorkspaceRole = 'owner',
  prepare: (fixture: ReturnType<typeof appFixture>) => void = () => undefined,
) {
  const fixture = appFixture();
  fixture.people.members = [
    memberOf(userId(3), 'guest', { via: 'share-link', hasAccount: false }),
    memberOf(bob.id, 'member', { invitedBy: alice.id, via: 'email' }),
    memberOf(alice.id, mine),
  ];
  prepare(fixture);
  const onLeft = vi.fn<() => void>();
  await renderInApp(
    fixture,
    <>
      <MembersPage origin="https://weft.example" onLeft={onLeft} />
      <Toasts />
    </>,
  );
  await advance(fixture, 1_000);
  return { fixture, onLeft };
}
const inRow = (name: RegExp) => within(screen.getByText(name, { selector: 'bdi' }).closest('li') ?? document.body);

test('lists members by role, guests apart, and where they are now', async () => {
  const { fixture } = await renderMembers();
  const names = (section: string) =>
    within(screen.getByRole('region', { name: section }))
      .getAllByRole('listitem')
      .map((item) => item.querySelector('b')?.textContent);
  expect([names('Members'), names('Guests')]).toEqual([['Alice Nwosu (you)', 'Bob Holm '], ['Carol Ng ']]);
  expect(inRow(/Bob Holm/).getByText(/invited by you/)).toBeDefined();
  expect(inRow(/Carol Ng/).getByText(/by link · no account yet/)).toBeDefined();
  act(() => fixture.stream.sendLocations([{ user: bob.id, document: documentId(2) }]));
  expect(inRow(/Bob Holm/).getByRole('link', { name: 'On “Minutes” now' })).toBeDefined();
});

test('members who chose the same color are shown in two, and the one who is present keeps theirs', async () => {
  const { fixture } = await renderMembers();
  // Carol chose the same as Alice.
  const colors = () =>
    ['Alice Nwosu', 'Bob Holm', 'Carol Ng'].map(
      (name) =>
        screen.getByText(name, { selector: 'bdi' }).closest('li')?.querySelector<HTMLElement>('.tag')?.dataset['dye'],
    );
  expect(colors().slice(0, 2)).toEqual(['orchil', 'rust']);
  expect(new Set(colors()).size).toBe(3);
  const before = colors();
  act(() => fixture.stream.sendLocations([{ user: userId(3), document: documentId(2) }]));
  expect(colors()).toEqual(before);
});

test('an owner changes roles, removes people after a question, and hands the workspace over by typing its name', async () => {
  const { fixture } = await renderMembers();
  const roles = () => fixture.people.members.map(({ user, role }) => [user, role]);
  const choose = async (item: RegExp) => {
    fireEvent.click(screen.getByRole('button', { name: /, Bob Holm$/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
    await advance(fixture, 100);
  };
  await choose(/^Admin/);
  fireEvent.click(screen.getByRole('button', { name: 'Admin, Bob Holm' }));
  const items = await screen.findAllByRole('menuitem', { name: /^Chosen/ });
  expect(items.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Admin/)]);
  fireEvent.keyDown(items[0] ?? document.body, { key: 'Escape' });
  await advance(fixture, 100);
  expect(roles()).toContainEqual([bob.id, 'admin']);
  await choose(/Transfer ownership/);
  const hand = screen.getByRole<HTMLButtonElement>('button', { name: 'Transfer ownership' });
  expect(hand.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Type “Northquay” to confirm'), { target: { value: 'Northquay' } });
  fireEvent.click(hand);
  await advance(fixture, 100);
  expect(roles()).toContainEqual([alice.id, 'admin']);
  expect(roles()).toContainEqual([bob.id, 'owner']);
});

test('removing someone asks first, and says that links still let them in', async () => {
  const { fixture } = await renderMembers();
  fireEvent.click(screen.getByRole('button', { name: /, Bob Holm$/ }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /Remove from workspace/ }));
  expect(fixture.server.calls).not.toContain('remove');
  expect(screen.getByRole('dialog', { name: 'Remove Bob Holm?' }).textContent).toContain(
    'Anyone with a link to a page can still open it until the link is revoked',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await advance(fixture, 100);
  expect(fixture.people.members.map(({ user }) => user)).not.toContain(bob.id);
});

test('members see the people, and nothing to change but leaving', async () => {
  const { fixture, onLeft } = await renderMembers('member');
  expect(screen.queryByRole('button', { name: 'Create invite link' })).toBeNull();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Leave workspace']);
  fireEvent.click(screen.getByRole('button', { name: 'Leave workspace' }));
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
  await advance(fixture, 100);
  expect(onLeft).toHaveBeenCalledOnce();
});

test('the only owner is told to hand the workspace over before leaving', async () => {
  await renderMembers();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Leave workspace' }).disabled).toBe(true);
  expect(screen.getByText(/Transfer it before you leave/)).toBeDefined();
});

test('an invite link is shown once in a field, is listed, and can be revoked', async () => {
  const { fixture } = await renderMembers();
  fireEvent.click(screen.getByRole('button', { name: 'Create invite link' }));
  await advance(fixture, 100);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Invite link' });
  expect([field.value, field.readOnly]).toEqual([`https://weft.example/i#${'i'.repeat(22)}`, true]);
  fireEvent.click(screen.getByRole('button', { name: 'Revoke invite link' }));
  await advance(fixture, 100);
  expect(fixture.people.invites).toEqual([]);
  expect(screen.queryByRole('region', { name: 'Pending' })).toBeNull();
});

test('the email of an invitation is sent again, with its limit and errors; not by a server that sends none', async () => {
  const { fixture } = await renderMembers();
  const send = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Resend noor@tidewatch.example' }));
    await advance(fixture, 100);
  };
  const field = screen.getByRole('textbox', { name: 'Email addresses' });
  fireEvent.change(field, { target: { value: 'noor@tidewatch.example' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send invites' }));
  await advance(fixture, 100);
  for (const [problem, text] of [
    ['tooMany', 'Too many emails for now.'],
    ['cannotEmail', 'This server sent no email.'],
    ['unreachable', 'Can’t reach the server.'],
  ] as const) {
    fixture.signInService.answer = err({ problem, detail: '' });
    await send();
    await vi.waitFor(() => expect(document.body.textContent).toContain(text));
  }
  fixture.signInService.answer = { ok: true, value: undefined };
  await send();
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Resend noor@tidewatch.example' });
  expect([button.textContent, button.disabled]).toEqual(['Sent', true]);
  cleanup();
  await renderMembers('owner', (other) => {
    other.people.invites = [...fixture.people.invites];
    Object.assign(other.app.account, { inbox: '/__mail' });
  });
  expect(screen.getByRole('button', { name: 'Revoke noor@tidewatch.example' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Resend/ })).toBeNull();
});

test('each email address gets a link of its own; a malformed one is named and nothing is sent', async () => {
  const { fixture } = await renderMembers();
  const field = screen.getByRole('textbox', { name: 'Email addresses' });
  const send = async (text: string) => {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.click(screen.getByRole('button', { name: 'Send invites' }));
    await advance(fixture, 100);
  };
  await send('noor@tidewatch.example, kofi');
  expect(screen.getByRole('alert').textContent).toBe('“kofi” isn’t an email address.');
  expect(fixture.people.invites).toEqual([]);
  await send('noor@tidewatch.example, kofi@quayside.example; noor@tidewatch.example');
  expect(fixture.people.invites.map(({ email, maxUses }) => [email, maxUses])).toEqual([
    ['noor@tidewatch.example', 1],
    ['kofi@quayside.example', 1],
  ]);
  expect(screen.getAllByRole('textbox', { name: 'Invite link' })).toHaveLength(2);
});

test('an invitation to an address is mailed; where that fails, the link beside it is to be sent', async () => {
  const { fixture } = await renderMembers();
  const send = async (text: string) => {
    fireEvent.change(screen.getByRole('textbox', { name: 'Email addresses' }), { target: { value: text } });
    fireEvent.click(screen.getByRole('button', { name: 'Send invites' }));
    await advance(fixture, 100);
  };
  await send('noor@tidewatch.example');
  expect(screen.getByText('Email sent. You can send the link too.')).toBeDefined();
  fixture.signInService.answer = err({ problem: 'unreachable', detail: '501' });
  await send('kofi@quayside.example');
  expect(screen.getByText('This server sent no email. Send the link yourself.')).toBeDefined();
  // The first one is shown nowhere else, so it stays.
  expect(screen.getAllByRole('textbox', { name: 'Invite link' })).toHaveLength(2);
});

test('where emails stay in the server’s own inbox, the button promises links only', async () => {
  const { fixture } = await renderMembers('owner', ({ app }) => Object.assign(app.account, { inbox: '/__mail' }));
  fireEvent.change(screen.getByRole('textbox', { name: 'Email addresses' }), {
    target: { value: 'noor@tidewatch.example' },
  });
  expect(screen.queryByRole('button', { name: 'Send invites' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Create invite links' }));
  await advance(fixture, 100);
  expect(screen.getByText(/keeps them in its own inbox. Send the link yourself\.$/)).toBeDefined();
});

test('what others do appears without a reload; a failed load is said and can be tried again', async () => {
  const { fixture } = await renderMembers('owner', ({ server }) => server.refusals.set('members', weftError('WF011')));
  expect(screen.getByText('The list of members is not on this device.')).toBeDefined();
  fixture.server.refusals.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
  await advance(fixture, 100);
  expect(screen.getByText('Bob Holm')).toBeDefined();
  fixture.people.members = fixture.people.members.filter(({ user }) => user !== bob.id);
  act(() => fixture.stream.sendChange({ kind: 'member', op: 'removed', id: bob.id, workspace: northquay.id }));
  await advance(fixture, 100);
  expect(screen.queryByText('Bob Holm')).toBeNull();
});
