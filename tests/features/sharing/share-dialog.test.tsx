import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ShareDialog } from '../../../src/features/sharing/share-dialog.tsx';
import { ERROR_TEXTS } from '../../../src/protocol/errors.ts';
import { sharingOf } from '../../../src/state/workspace/sharing.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { appFixture, documentId, secret } from '../../support/app/app-fixture.ts';
import { personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function dialog(mayManage = true) {
  const fixture = appFixture();
  const { store, directory, people } = personOf(fixture);
  const sharing = sharingOf({ documentId: documentId(1), store, directory, people });
  await renderInApp(
    fixture,
    <>
      <ShareDialog
        title="Plan"
        sharing={sharing}
        mayManage={mayManage}
        openToWorkspace="Northquay"
        origin="https://weft.example"
        open
        onOpenChange={() => undefined}
      />
      <Toasts />
    </>,
  );
  await act(() => sharing.load());
  const press = async (name: string | RegExp) => {
    await act(async () => void fireEvent.click(screen.getByRole('button', { name })));
  };
  const rows = () => within(screen.getByRole('list')).queryAllByRole('listitem');
  return { fixture, sharing, press, rows };
}

test('a new link’s address is shown once, in a read-only field', async () => {
  const { press } = await dialog();
  await press('Create watch link');
  const field = screen.getByLabelText('Watch link');
  expect(field).toHaveProperty('value', `https://weft.example/s#${secret('1')}`);
  expect(field).toHaveProperty('readOnly', true);
  await press('Create edit link');
  expect(screen.queryByLabelText('Watch link')).toBeNull();
  expect(screen.getByLabelText('Edit link')).toHaveProperty('value', `https://weft.example/s#${secret('2')}`);
});

test('watch links are listed before edit links, each with its creator and expiry', async () => {
  const { press, rows } = await dialog();
  await press('Create edit link');
  fireEvent.change(screen.getByLabelText('Expires'), { target: { value: 'week' } });
  await press('Create watch link');
  expect(rows().map((row) => row.textContent)).toEqual([
    expect.stringMatching(/can watchcreated by you.*, expires \d+ [A-Z][a-z]+Revoke$/),
    expect.stringMatching(/can editcreated by you.*, never expires/),
  ]);
});

test('a revoked link leaves the list, and a toast says that its watchers were disconnected', async () => {
  const { press, rows, fixture } = await dialog();
  await press('Create watch link');
  expect(rows()).toHaveLength(1);
  await press(/^Revoke/);
  expect(rows()).toHaveLength(0);
  expect(screen.queryByLabelText('Watch link')).toBeNull();
  expect(fixture.server.links).toEqual([]);
  await waitFor(() => expect(document.body.textContent).toContain('Link revoked. Watchers were disconnected.'));
});

test('without the right to manage the dialog says so and has no buttons that change links', async () => {
  await dialog(false);
  expect(screen.getByText('Only managers can change this.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Create|Revoke/ })).toBeNull();
});

test('offline, creating a link shows the error and no address', async () => {
  const { fixture, press } = await dialog();
  fixture.goOffline();
  await press('Create watch link');
  expect(screen.queryByLabelText('Watch link')).toBeNull();
  await waitFor(() => expect(document.body.textContent).toContain(ERROR_TEXTS.WF011));
});

test('Copy puts the address on the clipboard, or selects it when the browser refuses', async () => {
  const { press } = await dialog();
  await press('Create watch link');
  const copied: string[] = [];
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async (text: string) => void copied.push(text) },
  });
  await press('Copy');
  expect(copied).toEqual([`https://weft.example/s#${secret('1')}`]);

  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined });
  document.execCommand = () => false;
  await press('Copy');
  expect(document.activeElement).toBe(screen.getByLabelText('Watch link'));
  expect(document.body.textContent).toContain('Couldn’t copy. Select the address and press Ctrl C.');
});
