// Invited people find their invitations on the screen where others create a workspace of their own.
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useLocation } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { WelcomeScreen } from '../../../src/screens/workspace/welcome-screen.tsx';
import { alice, appFixture, inviteId } from '../../support/app/app-fixture.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

const Address = () => <output aria-label="address">{useLocation().pathname}</output>;
const offer = (n: number, workspace: string) => ({
  id: inviteId(n),
  workspace,
  inviter: 'Ada',
  role: 'member' as const,
  documentRole: null,
  expiresAt: 1,
  createdAt: 1,
});

async function renderWelcome(prepare: (fixture: ReturnType<typeof appFixture>) => void = () => undefined) {
  const fixture = appFixture();
  prepare(fixture);
  await renderInApp(
    fixture,
    <>
      <WelcomeScreen />
      <Address />
    </>,
  );
  await advance(fixture, 10);
  return fixture;
}
const workspaces = () => screen.queryAllByRole('listitem').map((item) => item.querySelector('b')?.textContent);

test('an invitation is joined or declined, and the form for a workspace stays below', async () => {
  const fixture = await renderWelcome(({ people }) =>
    people.offers.push(offer(1, 'Quayside Rowing'), offer(2, 'Northquay')),
  );
  expect(workspaces()).toEqual(['Quayside Rowing', 'Northquay']);
  expect(screen.getByLabelText('Workspace name')).toBeDefined();
  fireEvent.click(screen.getAllByRole('button', { name: 'Decline' })[0] ?? document.body);
  await advance(fixture, 10);
  expect(workspaces()).toEqual(['Northquay']);
  fixture.server.refusals.set('acceptMyInvite', weftError('WF009'));
  fireEvent.click(screen.getByRole('button', { name: 'Join' }));
  await advance(fixture, 10);
  expect(screen.getByRole('alert').textContent).toBe('This link no longer works.');
  fixture.server.refusals.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Join' }));
  await advance(fixture, 10);
  await advance(fixture, 1_000);
  expect(screen.getByLabelText('address').textContent).toBe('/w/northquay');
});

test('a typed name stays when the last invitation is declined', async () => {
  const fixture = await renderWelcome(({ people }) => people.offers.push(offer(1, 'Quayside Rowing')));
  const name = screen.getByLabelText('Workspace name');
  fireEvent.change(name, { target: { value: 'Regatta' } });
  fireEvent.click(screen.getByRole('button', { name: 'Decline' }));
  await advance(fixture, 10);
  expect(workspaces()).toEqual([]);
  expect(screen.getByDisplayValue('Regatta')).toBe(name);
});

test('a server that does not answer keeps no one from a workspace', async () => {
  const fixture = await renderWelcome(({ server }) => server.refusals.set('myInvites', weftError('WF011')));
  expect(screen.getByLabelText('Workspace name')).toBeDefined();
  expect(fixture.server.calls).toContain('myInvites');
});

test('a person in no workspace sees the account that they are signed in with, and signs out', async () => {
  const fixture = await renderWelcome();
  expect(screen.getByRole('link', { name: 'Account settings' }).getAttribute('href')).toBe('/account');
  expect(screen.getByText(alice.email ?? '')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Sign out' }));
  await advance(fixture, 1_000);
  expect(fixture.app.store.get(fixture.app.signInAtom).status).toBe('signedOut');
});
