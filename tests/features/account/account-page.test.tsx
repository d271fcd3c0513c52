// The account page: what this device keeps, signing out everywhere, deleting the account.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { AccountPage } from '../../../src/features/account/account-page.tsx';
import { err, ok } from '../../../src/lib/result.ts';
import { alice, appFixture, bob, documentId } from '../../support/app/app-fixture.ts';
import { memberOf } from '../../support/app/memory-membership.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

type Fixture = ReturnType<typeof appFixture>;
async function renderAccount(fixture: Fixture = appFixture()) {
  await renderInApp(fixture, <AccountPage passwordLink={null} statusLink={null} />);
  await advance(fixture, 100);
  return fixture;
}
const press = async (fixture: Fixture, name: string) => {
  await act(async () => void fireEvent.click(screen.getByRole('button', { name })));
  await advance(fixture, 100);
};
const status = (fixture: Fixture) => fixture.app.store.get(fixture.app.signInAtom).status;

test('lists the pages of this device with their size, and removes them unless edits are unsent', async () => {
  const fixture = appFixture();
  fixture.device.cachedDocuments = [
    { document: documentId(1), openedAt: 1, bytes: 12_000, isUnsent: false },
    { document: documentId(2), openedAt: 2, bytes: 500, isUnsent: true },
  ];
  await renderAccount(fixture);
  const rows = () =>
    within(screen.getByRole('list', { name: 'Pages on this device' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/opened [^0-9]*[\d:]*(?: \w+(?: \d{4})?)?/, ' '));
  expect(screen.getByText('2 pages available offline, 13 kB.')).toBeDefined();
  expect(rows()[0]).toMatch(/^Minutes.*500 Bunsent edits$/);
  await press(fixture, 'Remove Plan for 14 June from this device');
  expect(fixture.device.cachedDocuments.map(({ document }) => document)).toEqual([documentId(2)]);
  expect(rows()).toHaveLength(1);
});

test('unsent edits of a page are discarded only after a question', async () => {
  const fixture = appFixture({ unsent: [{ document: documentId(1), edits: 3, oldestAt: 5 }] });
  await renderAccount(fixture);
  await press(fixture, 'Discard edits of Plan for 14 June');
  expect(screen.getByRole('dialog').textContent).toContain('3 edits are only on this device');
  expect(fixture.device.unsent).toHaveLength(1);
  // The app has opened the page to send them.
  await press(fixture, 'Discard edits');
  expect(screen.getByRole('alert').textContent).toContain('These edits are being sent');
  await advance(fixture, 70_000);
  await press(fixture, 'Discard edits');
  expect(fixture.device.unsent).toHaveLength(0);
  expect(screen.getByText('Every edit you made here is on the server.')).toBeDefined();
});

test('signing out everywhere ends the other sessions first, and says why it could not', async () => {
  const fixture = await renderAccount();
  fixture.signInService.answer = err({ problem: 'unreachable', detail: '' });
  await press(fixture, 'Sign out everywhere');
  const confirm = () =>
    act(async () => void fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sign out' })));
  await confirm();
  expect(screen.getByRole('alert').textContent).toContain('Can’t reach the server');
  expect(status(fixture)).toBe('signedIn');
  fixture.signInService.answer = ok(undefined);
  await confirm();
  await advance(fixture, 10_000);
  expect(fixture.signInService.endedElsewhere).toBe(2);
  expect(status(fixture)).toBe('signedOut');
});

test('the account is deleted once its address is typed, and this device forgets the person', async () => {
  const fixture = await renderAccount();
  await press(fixture, 'Delete account…');
  const dialog = within(screen.getByRole('dialog'));
  expect(screen.getByRole('dialog').textContent).toContain('“Northquay” has no other member and is deleted');
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete account' });
  expect(confirm.disabled).toBe(true);
  fireEvent.change(dialog.getByLabelText('Type “alice@weft.example” to confirm'), {
    target: { value: 'alice@weft.example' },
  });
  fixture.server.refusals.set('deleteAccount', weftError('WF011'));
  await act(async () => void fireEvent.click(confirm));
  expect(dialog.getByRole('alert').textContent).toContain('Can’t reach the server');
  expect(status(fixture)).toBe('signedIn');
  fixture.server.refusals.clear();
  await act(async () => void fireEvent.click(confirm));
  await advance(fixture, 10_000);
  expect(status(fixture)).toBe('signedOut');
  expect(fixture.device.forgotten).toBe(1);
});

test('a person who would leave others without an owner is told what to do first', async () => {
  const fixture = appFixture();
  fixture.people.members = [memberOf(alice.id, 'owner'), memberOf(bob.id, 'member')];
  await renderAccount(fixture);
  await press(fixture, 'Delete account…');
  expect(screen.getByRole('dialog').textContent).toContain(
    '“Northquay” would be left without an owner. Transfer it to another member, or delete it',
  );
  expect(screen.getByRole('link', { name: 'Members of Northquay' }).getAttribute('href')).toBe('/w/northquay/members');
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull();
});
