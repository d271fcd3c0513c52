// Accounts that the server no longer accepted, and that never signed out: what the device holds of them goes to the next account
// with the same address, or to one that asks for it.
import { expect, test } from 'vitest';
import {
  alice,
  appFixture,
  bob,
  documentId,
  memoryDevice,
  northquay,
  pageSummary,
  userId,
} from '../../support/app/app-fixture.ts';

const before = { ...alice, id: userId(8), email: 'ALICE@weft.example' };

async function onDeviceOf(...former: readonly (typeof alice)[]) {
  const device = memoryDevice();
  device.former = former;
  const fixture = appFixture({ device });
  await fixture.clock.run(1_000);
  const me = fixture.app.store.get(fixture.app.personAtom);
  if (me === null) throw new Error('no one is signed in');
  return { device, fixture, me, former: () => me.store.get(me.former.atom) };
}

test('the account that comes next with the same address has it at once', async () => {
  const { device, former } = await onDeviceOf(before);
  expect(device.movedFrom).toEqual([before.id]);
  expect(former()).toEqual([]);
});

test('another account is asked: it moves it here, or deletes it', async () => {
  const guest = { id: userId(9), email: null, isGuest: true };
  const { device, me, former } = await onDeviceOf(bob, guest);
  expect(device.movedFrom).toEqual([]);
  expect(former()).toEqual([bob, guest]);
  expect(await me.former.move(guest)).toBe(true);
  expect(former()).toEqual([bob]);
  await me.former.discard(bob);
  expect([device.movedFrom, former()]).toEqual([[guest.id], []]);
});

test('pages of it that the server has lost are made again, or kept', async () => {
  const page = pageSummary(60, 'Tide table');
  const device = memoryDevice();
  device.former = [before];
  device.formerLists = [{ workspace: northquay, documents: [page], stamp: null }, 'damaged'];
  device.held.set(page.id, { role: 'editor', at: 1 });
  const fixture = appFixture({ device });
  fixture.server.lost.add(documentId(60));
  await fixture.clock.run(5_000);
  expect(fixture.server.made).toEqual([{ id: page.id, parent: null }]);
});
