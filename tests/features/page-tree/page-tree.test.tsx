import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { changeTitle } from '../../../src/document/title.ts';
import { PageTree } from '../../../src/features/page-tree/page-tree.tsx';
import type { DocumentId } from '../../../src/protocol/ids.ts';
import { appFixture, bob, documentId, northquay, pageSummary } from '../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

async function renderTree() {
  const fixture = appFixture();
  fixture.server.documents.push(
    pageSummary(3, 'Waves', { parentId: documentId(1) }),
    pageSummary(4, '', { rank: 'a9' }),
  );
  const onNewPage = vi.fn<(parent: DocumentId | null) => void>();
  await renderInApp(fixture, <PageTree current={documentId(1)} onNewPage={onNewPage} onChosen={() => undefined} />);
  await advance(fixture, 2_000);
  return { fixture, onNewPage };
}

test('lists pages by rank, children below their parent, and marks the open page', async () => {
  await renderTree();
  const links = screen.getAllByRole('link');
  expect(links.map((link) => link.textContent)).toEqual(['Plan for 14 June', 'Waves', 'Minutes', 'Untitled']);
  expect(links[0]?.getAttribute('aria-current')).toBe('page');
  expect(links[0]?.getAttribute('href')).toBe(`/w/${northquay.slug}/p/plan-for-14-june-${documentId(1)}`);
});

test('collapses the pages below a page', async () => {
  await renderTree();
  const fold = screen.getByRole('button', { name: 'Pages in Plan for 14 June' });
  fireEvent.click(fold);
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText('Waves')).toBeNull();
});

test('shows a title while it is typed, before the list has it', async () => {
  const { fixture } = await renderTree();
  personOf(fixture).pages.acquire(documentId(2));
  await advance(fixture, 10);
  const session = fixture.sessions.get(documentId(2));
  if (session === undefined) throw new Error('no session');
  act(() => changeTitle(session.doc, { index: 0, remove: 0, insert: 'Minutes of May' }));
  expect(screen.getByText('Minutes of May')).toBeDefined();
});

test('shows the other people on each page, not this person', async () => {
  const { fixture } = await renderTree();
  act(() =>
    fixture.stream.sendLocations([
      { user: bob.id, document: documentId(1) },
      { user: personOf(fixture).identity.id, document: documentId(2) },
    ]),
  );
  await advance(fixture, 10);
  expect(screen.getAllByRole('img').map((ticks) => ticks.getAttribute('aria-label'))).toEqual(['Here now: Bob Holm']);
});

test('marks pages with edits that have waited on this device for a second, not earlier', async () => {
  const { fixture } = await renderTree();
  personOf(fixture).pages.acquire(documentId(2));
  await advance(fixture, 10);
  act(() => fixture.sessions.get(documentId(2))?.setView({ receipt: 'device', unsent: { edits: 2, oldestAt: 5 } }));
  const mark = { name: '2 edits on this device only' };
  expect(screen.queryByRole('img', mark)).toBeNull();
  await screen.findByRole('img', mark, { timeout: 5_000 });
  act(() => fixture.sessions.get(documentId(2))?.setView({ receipt: 'saved', unsent: { edits: 0, oldestAt: null } }));
  expect(screen.queryByRole('img', mark)).toBeNull();
});

test('while the server does not answer, marks pages that are not on this device', async () => {
  const { fixture } = await renderTree();
  const unavailable = () =>
    screen.getAllByRole('link').filter((link) => link.textContent?.endsWith(', not on this device'));
  expect(unavailable()).toEqual([]);
  fixture.device.cachedDocuments.push({ document: documentId(2), openedAt: 1, bytes: 1, isUnsent: false });
  fixture.goOffline();
  await act(() => personOf(fixture).cachedPages.refresh());
  act(() => personOf(fixture).noteOffline());
  await advance(fixture, 2_000);
  expect(unavailable().map((link) => link.textContent)).toEqual([
    'Plan for 14 June, not on this device',
    'Waves, not on this device',
    'Untitled, not on this device',
  ]);
  fixture.goOnline();
  await advance(fixture, 60_000);
  expect(unavailable()).toEqual([]);
});

test('creates a page at the top level, and one below another page', async () => {
  const { onNewPage } = await renderTree();
  fireEvent.click(screen.getByRole('button', { name: 'New page' }));
  fireEvent.click(screen.getByRole('button', { name: 'New page in Minutes' }));
  expect(onNewPage.mock.calls).toEqual([[null], [documentId(2)]]);
});

test('the rows are one stop of the keyboard, and arrows move between them', async () => {
  const { onNewPage } = await renderTree();
  const stops = () =>
    [...document.querySelectorAll<HTMLElement>('.tree li :is(a, button)')].filter(({ tabIndex }) => tabIndex >= 0);
  expect(stops().map(({ textContent }) => textContent)).toEqual(['Plan for 14 June']);
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  act(() => stops()[0]?.focus());
  press('ArrowDown');
  press('ArrowDown');
  expect(document.activeElement?.textContent).toBe('Minutes');
  expect(stops()).toEqual([document.activeElement]);
  press('Home');
  press('ArrowLeft');
  expect(screen.queryByText('Waves')).toBeNull();
  press('ArrowRight');
  press('ArrowRight');
  expect(document.activeElement?.textContent).toBe('Waves');
  press('+');
  expect(onNewPage).toHaveBeenCalledExactlyOnceWith(documentId(3));
});

test('visitors by a link are not offered pages at the top, which only members may create', async () => {
  const fixture = appFixture();
  fixture.server.workspaces[0] = { ...northquay, role: null };
  await renderInApp(fixture, <PageTree current={null} onNewPage={() => undefined} onChosen={() => undefined} />);
  await advance(fixture, 2_000);
  expect(screen.getAllByRole('link').length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'New page' })).toBeNull();
});
