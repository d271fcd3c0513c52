// The screen of an invitation: it offers to join, unless it has let this person in before.
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import type { InviteInfo } from '../../../src/protocol/people-answers.ts';
import { InviteScreen } from '../../../src/screens/link/invite-screen.tsx';
import { AppContext } from '../../../src/state/hooks.ts';
import { appFixture, inviteId, secret } from '../../support/app/app-fixture.ts';
import { advance } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function renderInvitation(change: Partial<InviteInfo>) {
  const fixture = appFixture();
  fixture.people.info = {
    id: inviteId(1),
    workspace: 'Northquay',
    inviter: 'Ada',
    role: 'member',
    documentRole: null,
    expiresAt: 1,
    createdAt: 1,
    emailHint: null,
    ...change,
  };
  await fixture.clock.run(10);
  render(
    <MemoryRouter initialEntries={[`/i#${secret('a')}`]}>
      <AppContext value={fixture.app}>
        <InviteScreen />
      </AppContext>
    </MemoryRouter>,
  );
  await advance(fixture, 10);
  return fixture;
}

test('offers to join', async () => {
  await renderInvitation({ hasLeft: false });
  expect(screen.getByRole('heading', { name: 'Join Northquay' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Join' })).toBeDefined();
});

test('offers to sign in only once a sign-out is done', async () => {
  const { app } = await renderInvitation({});
  const signIn = () => screen.queryByRole('link', { name: 'Sign in' });
  let done = Promise.resolve();
  act(() => {
    done = app.signOut();
  });
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
  expect(signIn()).toBeNull();
  await act(() => done);
  expect(signIn()).not.toBeNull();
});

test('tells people who were removed or left that it does not let them in again', async () => {
  await renderInvitation({ hasLeft: true });
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
  expect(screen.getByRole('heading', { name: 'You already used this invitation' })).toBeDefined();
  expect(screen.queryByText(/doesn’t exist/)).toBeNull();
  expect(screen.getByText(/^You were removed from Northquay, or left\..*ask Ada for a new one\.$/)).toBeDefined();
});
