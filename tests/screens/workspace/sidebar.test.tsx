// The sidebar on a phone: a drawer over the page, which closes when something opens below it.
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InboxProvider } from '../../../src/features/inbox/inbox-provider.tsx';
import { Sidebar } from '../../../src/screens/workspace/sidebar.tsx';
import { appFixture } from '../../support/app/app-fixture.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches: true }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each(['Duplicate', 'Move to…', 'Change icon…'])('“%s” closes the drawer', async (name) => {
  const fixture = appFixture();
  const onDrawer = vi.fn<(open: boolean) => void>();
  await renderInApp(
    fixture,
    <InboxProvider>
      <Sidebar current={null} isOpen isDrawerOpen onDrawer={onDrawer} onNewPage={() => undefined} />
    </InboxProvider>,
  );
  await advance(fixture, 2_000);
  fireEvent.contextMenu(screen.getByRole('link', { name: 'Minutes' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: new RegExp(`^${name}`) }));
  expect(onDrawer.mock.lastCall).toEqual([false]);
});
