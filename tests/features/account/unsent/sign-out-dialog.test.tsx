import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SignOutDialog } from '../../../../src/features/account/unsent/sign-out-dialog.tsx';
import { unsentFile } from '../../../../src/features/account/unsent/unsent-file.ts';
import { appFixture, documentId, memoryDevice, northquay } from '../../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../../support/app/render-in-app.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function openDialog(fixture = appFixture()) {
  const onStay = vi.fn<() => void>();
  await renderInApp(fixture, <SignOutDialog onStay={onStay} />);
  await advance(fixture, 10);
  const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));
  const status = () => fixture.app.store.get(fixture.app.signInAtom).status;
  return { fixture, onStay, press, status };
}

/** Two pages with two unsent edits each, while the server cannot be reached. */
const withUnsent = () => {
  const unsent = { edits: 2, oldestAt: 5 };
  const waiting = [1, 7].map((n) => ({ document: documentId(n), ...unsent }));
  return appFixture({ unsent: waiting, view: { unsent, receipt: 'device', connection: 'offline' } });
};

test('signs out without asking when everything is on the server', async () => {
  const { fixture, status } = await openDialog();
  await advance(fixture, 10_000);
  expect(status()).toBe('signedOut');
  expect(fixture.device.forgotten).toBe(1);
});

test('says how many edits on how many pages are only on this device before it deletes anything', async () => {
  const { fixture, press, onStay, status } = await openDialog(withUnsent());
  expect(screen.getByRole('dialog').textContent).toContain('4 edits on 2 pages are on this device only.');
  expect(fixture.device.forgotten).toBe(0);
  await press('Stay');
  expect(onStay).toHaveBeenCalledOnce();
  await press('Sign out and delete');
  await advance(fixture, 10_000);
  expect(status()).toBe('signedOut');
  expect(fixture.device.forgotten).toBe(1);
});

test('also counts edits of another tab on a page that is open here', async () => {
  const fixture = appFixture({ unsent: [{ document: documentId(1), edits: 5, oldestAt: 5 }] });
  await fixture.clock.run(10);
  personOf(fixture).pages.acquire(documentId(1));
  await openDialog(fixture);
  expect(screen.getByRole('dialog').textContent).toContain('5 edits on 1 page are on this device only.');
  expect(fixture.device.forgotten).toBe(0);
});

test('also counts a page that is not on the server yet', async () => {
  const device = memoryDevice();
  device.queue.set(documentId(50), {
    id: documentId(50),
    workspace: northquay.id,
    parent: null,
    rank: 'a0',
    title: '',
    madeAt: 5,
    refused: 'WF002',
  });
  await openDialog(appFixture({ device }));
  expect(screen.getByRole('dialog').textContent).toContain('1 edit on 1 page is on this device only.');
});

test('downloads a copy, and says the file’s name', async () => {
  const { press } = await openDialog(withUnsent());
  const blobs: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob);
    return 'blob:copy';
  });
  await press('Download a copy');
  const content: unknown = JSON.parse((await blobs[0]?.text()) ?? '');
  expect(content).toMatchObject({ pages: [{ document: documentId(1) }, { document: documentId(7), text: 'words' }] });
  expect(screen.getByRole('status').textContent).toMatch(/weft-unsent-edits-\d{4}-\d\d-\d\d\.json/);
});

test('a copy that can’t be made is said, and can be tried again', async () => {
  const fixture = withUnsent();
  await fixture.clock.run(10);
  vi.spyOn(personOf(fixture), 'unsentCopies').mockRejectedValue(new Error('no memory'));
  const { press } = await openDialog(fixture);
  await press('Download a copy');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Download a copy' });
  expect([button.disabled, screen.queryByRole('status')]).toEqual([false, null]);
});

test('the copy includes edits that are only in a tab', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  const me = personOf(fixture);
  me.pages.acquire(documentId(1));
  await fixture.clock.run(10);
  fixture.sessions.get(documentId(1))?.setView({ receipt: 'tab', unsent: { edits: 2, oldestAt: 5 } });
  expect(await me.unsentCopies()).toMatchObject([{ document: documentId(1), edits: 2, text: '' }]);
});

test('the copy is readable JSON', () => {
  const copy = { document: documentId(1), title: 'Plan', text: 'one\ntwo', edits: 2, update: 'AAA=' };
  const { bytes, name } = unsentFile([copy], new Date('2026-11-21T06:00:00Z'));
  expect(name).toBe('weft-unsent-edits-2026-11-21.json');
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({
    savedBy: 'Weft',
    savedAt: '2026-11-21T06:00:00.000Z',
    pages: [copy],
  });
});
