import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SettingsPage } from '../../../src/features/workspace-settings/settings-page.tsx';
import type { WorkspaceRole } from '../../../src/protocol/roles.ts';
import { appFixture, northquay } from '../../support/app/app-fixture.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function renderSettings(role: WorkspaceRole = 'owner') {
  const fixture = appFixture({ workspaces: [{ ...northquay, role }] });
  const onDeleted = vi.fn<() => void>();
  await renderInApp(fixture, <SettingsPage exportSection={<p>All pages</p>} onDeleted={onDeleted} />);
  await advance(fixture, 100);
  const press = async (name: string) => {
    await act(async () => void fireEvent.click(screen.getByRole('button', { name })));
    await advance(fixture, 100);
  };
  return { fixture, onDeleted, press };
}

test('an admin renames the workspace; a refusal is said below the field', async () => {
  const { fixture, press } = await renderSettings('admin');
  expect(screen.queryByRole('heading', { name: 'Delete workspace' })).toBeNull();
  fireEvent.change(screen.getByLabelText('Workspace name'), { target: { value: 'Southquay' } });
  fixture.server.refusals.set('renameWorkspace', weftError('WF011'));
  await press('Rename');
  expect(screen.getByRole('alert').textContent).toContain('Can’t reach the server');
  fixture.server.refusals.clear();
  await press('Rename');
  expect(fixture.server.calls.filter((call) => call === 'renameWorkspace')).toHaveLength(2);
});

test('members read the name and export, and change nothing', async () => {
  await renderSettings('member');
  expect(screen.getByText('Northquay')).toBeDefined();
  expect(screen.getByText('All pages')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('an owner deletes the workspace by typing its name', async () => {
  const { fixture, onDeleted, press } = await renderSettings();
  await press('Delete workspace…');
  expect(screen.getByRole('dialog').textContent).toContain('2 pages with history and files are deleted');
  const confirm = within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', {
    name: 'Delete workspace',
  });
  expect(confirm.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Type “Northquay” to confirm'), { target: { value: 'Northquay' } });
  await press('Delete workspace');
  expect(fixture.server.calls).toContain('deleteWorkspace');
  expect(onDeleted).toHaveBeenCalledOnce();
});
