// The offers to guests: a name, and an account before they lose anything.
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { AccountMenu } from '../../../../src/features/account/account-menu.tsx';
import { SignOutDialog } from '../../../../src/features/account/unsent/sign-out-dialog.tsx';
import { err } from '../../../../src/lib/result.ts';
import { appFixture, northquay, userId } from '../../../support/app/app-fixture.ts';
import { memberOf } from '../../../support/app/memory-membership.ts';
import { advance, personOf, renderInApp } from '../../../support/app/render-in-app.tsx';

afterEach(cleanup);

const guest = { id: userId(3), email: null, isGuest: true };

function guestFixture(role: 'owner' | 'member' = 'owner') {
  const fixture = appFixture({
    signIn: { status: 'signedIn', identity: guest },
    workspaces: [{ ...northquay, role }],
  });
  fixture.people.members = [memberOf(guest.id, role), memberOf(userId(2), role === 'owner' ? 'member' : 'owner')];
  return fixture;
}
const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('a guest without a name is asked for it, one with a name is offered an account', async () => {
  const fixture = guestFixture();
  await renderInApp(fixture, <AccountMenu />);
  act(() => personOf(fixture).people.put({ id: guest.id, displayName: 'Guest 2', color: 'rust' }));
  expect(screen.getByText('Others see you as “Guest 2”.')).toBeDefined();
  await press('Set your name');
  fill('Name', 'Lena Voss');
  await act(async () => void fireEvent.submit(screen.getByLabelText('Name')));
  expect(fixture.server.calls).toContain('updateProfile');
  act(() => personOf(fixture).people.put({ id: guest.id, displayName: 'Lena Voss', color: 'rust' }));
  expect(screen.queryByText(/Others see you/)).toBeNull();
  act(() => screen.getByRole('button', { name: 'Create account', hidden: true }).click());
  await screen.findByRole('form', { name: 'Create account' });
});

test('signing out names what a guest alone owns, and an account made instead keeps them signed in', async () => {
  const fixture = guestFixture();
  const onStay = vi.fn<() => void>();
  await renderInApp(fixture, <SignOutDialog onStay={onStay} />);
  await advance(fixture, 10);
  expect(screen.getByRole('dialog').textContent).toContain('You’re the only owner of “Northquay”.');
  await press('Create account first');
  fill('Email', 'lena@weft.example');
  fill('Password', 'correct horse battery');
  await press('Create account');
  await advance(fixture, 100);
  expect(onStay).toHaveBeenCalledOnce();
  expect(fixture.app.store.get(fixture.app.signInAtom)).toMatchObject({
    status: 'signedIn',
    identity: { email: 'lena@weft.example', isGuest: false },
  });
  expect(fixture.device.forgotten).toBe(0);
});

test('a guest whom someone else can replace as owner is not warned about the workspace', async () => {
  const fixture = guestFixture('member');
  await renderInApp(fixture, <SignOutDialog onStay={() => undefined} />);
  await advance(fixture, 10);
  expect(screen.getByRole('dialog').textContent).not.toContain('only owner');
});

test('an address that is taken is said below it', async () => {
  const fixture = guestFixture();
  await renderInApp(fixture, <SignOutDialog onStay={() => undefined} />);
  await advance(fixture, 10);
  fixture.signInService.answer = err({ problem: 'taken', detail: '' });
  await press('Create account first');
  fill('Email', 'lena@weft.example');
  fill('Password', 'correct horse battery');
  await press('Create account');
  expect(screen.getByRole('alert').textContent).toContain('already an account');
});
