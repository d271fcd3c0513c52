import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { changeTitle } from 'weft-document/title.ts';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { Favourites } from '../../../src/features/page-tree/favourites.tsx';
import { PageTree } from '../../../src/features/page-tree/page-tree.tsx';
import { useRowWindow } from '../../../src/features/page-tree/use-row-window.ts';
import type { DocumentSummary } from '../../../src/protocol/answers.ts';
import * as hooks from '../../../src/state/hooks.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { appFixture, bob, documentId, northquay, pageSummary, userId } from '../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

// Each row calls the one hook once per render, the list of rows the other.
vi.mock(import('../../../src/state/hooks.ts'), { spy: true });
vi.mock(import('../../../src/features/page-tree/use-row-window.ts'), { spy: true });

afterEach(cleanup);

async function renderTree() {
  const fixture = appFixture();
  fixture.server.documents.push(
    pageSummary(3, 'Waves', { parentId: documentId(1) }),
    pageSummary(4, '', { rank: 'a9' }),
  );
  const onNewPage = vi.fn<(parent: DocumentId | null) => void>();
  await renderInApp(
    fixture,
    <>
      <PageTree
        current={documentId(1)}
        onNewPage={onNewPage}
        onChosen={() => undefined}
        onDuplicate={() => undefined}
        onMoveTo={() => undefined}
        askToMove={(_page, _parent, move) => move()}
        onCopyLink={() => undefined}
        onChooseIcon={() => undefined}
      />
      <Toasts />
    </>,
  );
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

test('a reader has a short tick, unless another of their tabs edits the page', async () => {
  const { fixture } = await renderTree();
  const reading = { user: bob.id, document: documentId(1), isReading: true };
  act(() => fixture.stream.sendLocations([reading, { user: userId(3), document: documentId(1), isReading: false }]));
  await advance(fixture, 10);
  const ticks = screen.getByRole('img', { name: 'Here now: Bob Holm (viewing), Carol Ng' });
  expect(Array.from(ticks.children, (tick) => tick.hasAttribute('data-reading'))).toEqual([true, false]);
  act(() => fixture.stream.sendLocations([reading, { ...reading, isReading: false }]));
  expect(screen.getByRole('img', { name: 'Here now: Bob Holm' })).toBeDefined();
});

test('marks pages with edits that have waited on this device for a second, not earlier', async () => {
  const { fixture } = await renderTree();
  personOf(fixture).pages.acquire(documentId(2));
  await advance(fixture, 10);
  act(() =>
    fixture.sessions.get(documentId(2))?.setView({ receipt: 'device', unsent: { edits: 2, oldestAt: Date.now() } }),
  );
  const mark = { name: '2 edits on this device only' };
  expect(screen.queryByRole('img', mark)).toBeNull();
  await screen.findByRole('img', mark, { timeout: 5_000 });
  act(() => fixture.sessions.get(documentId(2))?.setView({ receipt: 'saved', unsent: { edits: 0, oldestAt: null } }));
  expect(screen.queryByRole('img', mark)).toBeNull();
});

test('a dot marks a page that someone changed since one’s visit, and a ring the closed row above it', async () => {
  const { fixture } = await renderTree();
  const marks = () => screen.queryAllByRole('img').map((mark) => mark.getAttribute('aria-label'));
  expect(marks()).toEqual([]);
  const change = async (more: Partial<DocumentSummary>) => {
    fixture.server.documents = fixture.server.documents.map((page) =>
      page.id === documentId(3) ? { ...page, ...more } : page,
    );
    act(() =>
      fixture.stream.sendChange({ kind: 'document', op: 'changed', id: documentId(3), workspace: northquay.id }),
    );
    await advance(fixture, 2_000);
  };
  await change({ visitedAt: 4_000, updatedAt: 5_000, updatedBy: bob.id });
  expect(marks()).toEqual(['Changed since your last visit']);
  fireEvent.click(screen.getByRole('button', { name: 'Pages in Plan for 14 June' }));
  expect(marks()).toEqual(['Changes inside']);
  await change({ visitedAt: 5_000 });
  expect(marks()).toEqual([]);
});

test('a dot marks a page with unread comments, but for the one on the screen, and a ring the closed row above it', async () => {
  const { fixture } = await renderTree();
  const marks = () => screen.queryAllByRole('img').map((mark) => mark.getAttribute('aria-label'));
  const comment = async (more: Partial<DocumentSummary>) => {
    fixture.server.documents = fixture.server.documents.map((page) =>
      page.id === documentId(3) ? { ...page, ...more } : page,
    );
    act(() =>
      fixture.stream.sendChange({ kind: 'comment', op: 'changed', id: documentId(3), workspace: northquay.id }),
    );
    await advance(fixture, 3_000);
  };
  await comment({ visitedAt: 9_000, openThreads: 2, unreadThreads: 1 });
  expect(marks()).toEqual(['Unread comments']);
  fireEvent.click(screen.getByRole('button', { name: 'Pages in Plan for 14 June' }));
  expect(marks()).toEqual(['Unread comments inside']);
  await comment({ updatedAt: 10_000, updatedBy: bob.id });
  expect(marks()).toEqual(['Changes inside. Unread comments inside']);
  fireEvent.click(screen.getByRole('button', { name: 'Pages in Plan for 14 June' }));
  expect(marks()).toEqual(['Changed since your last visit. Unread comments']);
  act(() => personOf(fixture).workspaces.openValues()[0]?.setCurrentPage(documentId(3)));
  expect(marks()).toEqual([]);
});

test('a row has one mark: the edits that wait go before the people, the people before the dot', async () => {
  const { fixture } = await renderTree();
  fixture.server.documents = fixture.server.documents.map((page) =>
    page.id === documentId(2) ? { ...page, visitedAt: 1, updatedBy: bob.id } : page,
  );
  act(() => fixture.stream.sendLocations([{ user: bob.id, document: documentId(2) }]));
  await act(() => personOf(fixture).workspaces.openValues()[0]?.refresh());
  await advance(fixture, 10);
  const marks = () => screen.queryAllByRole('img').map((mark) => mark.getAttribute('aria-label'));
  expect(marks()).toEqual(['Here now: Bob Holm']);
  act(() => fixture.stream.sendLocations([]));
  await advance(fixture, 10);
  expect(marks()).toEqual(['Changed since your last visit']);
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
  fireEvent.click(
    within(screen.getByRole('row', { name: /^Minutes/ })).getByRole('button', { name: 'New page inside' }),
  );
  expect(onNewPage.mock.calls).toEqual([[null], [documentId(2)]]);
});

test('the rows are one stop of the keyboard, and arrows move between them', async () => {
  const { onNewPage } = await renderTree();
  const stops = () =>
    [...document.querySelectorAll<HTMLElement>('.tree [role=row] :is(a, button)')].filter(
      ({ tabIndex }) => tabIndex >= 0,
    );
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
  await renderInApp(
    fixture,
    <PageTree
      current={null}
      onNewPage={() => undefined}
      onChosen={() => undefined}
      onDuplicate={() => undefined}
      onMoveTo={() => undefined}
      askToMove={(_page, _parent, move) => move()}
      onCopyLink={() => undefined}
      onChooseIcon={() => undefined}
    />,
  );
  await advance(fixture, 2_000);
  expect(screen.getAllByRole('link').length).toBeGreaterThan(0);
  expect(screen.queryByRole('button', { name: 'New page' })).toBeNull();
});

const titles = () => screen.getAllByRole('link').map((link) => link.textContent);

test('each row says its level and its place among its siblings', async () => {
  await renderTree();
  const rows = screen
    .getAllByRole('row')
    .map((row) => ['level', 'posinset', 'setsize', 'expanded'].map((name) => row.getAttribute(`aria-${name}`)));
  expect(rows).toEqual([
    ['1', '1', '3', 'true'],
    ['2', '1', '1', null],
    ['1', '2', '3', null],
    ['1', '3', '3', null],
  ]);
});

test('rows stay closed after a reload of the app', async () => {
  const { fixture } = await renderTree();
  fireEvent.click(screen.getByRole('button', { name: 'Pages in Plan for 14 June' }));
  await advance(fixture, 10);
  cleanup();
  const again = appFixture({ listCache: fixture.listCache });
  again.server.documents.push(pageSummary(3, 'Waves', { parentId: documentId(1) }));
  await renderInApp(
    again,
    <PageTree
      current={null}
      onNewPage={() => undefined}
      onChosen={() => undefined}
      onDuplicate={() => undefined}
      onMoveTo={() => undefined}
      askToMove={(_page, _parent, move) => move()}
      onCopyLink={() => undefined}
      onChooseIcon={() => undefined}
    />,
  );
  await advance(again, 2_000);
  expect(titles()).toEqual(['Plan for 14 June', 'Minutes']);
});

test('the page that is opened is shown, also if the page above it was closed', async () => {
  const fixture = appFixture();
  fixture.server.documents.push(pageSummary(3, 'Waves', { parentId: documentId(1) }));
  await fixture.listCache.save(`closed-rows:${northquay.id}`, [documentId(1)]);
  await renderInApp(
    fixture,
    <PageTree
      current={documentId(3)}
      onNewPage={() => undefined}
      onChosen={() => undefined}
      onDuplicate={() => undefined}
      onMoveTo={() => undefined}
      askToMove={(_page, _parent, move) => move()}
      onCopyLink={() => undefined}
      onChooseIcon={() => undefined}
    />,
  );
  await advance(fixture, 2_000);
  expect(titles()).toEqual(['Plan for 14 June', 'Waves', 'Minutes']);
});

test('the keyboard moves a page, says so, and keeps the focus on it', async () => {
  const { fixture } = await renderTree();
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key, altKey: true });
  act(() => screen.getByText('Minutes').focus());
  press('ArrowRight');
  expect(titles()).toEqual(['Plan for 14 June', 'Waves', 'Minutes', 'Untitled']);
  expect(screen.getByRole('status').textContent).toBe('Moved “Minutes” into “Plan for 14 June”');
  expect(document.activeElement?.textContent).toBe('Minutes');
  await advance(fixture, 2_000);
  expect(fixture.server.documents.find(({ id }) => id === documentId(2))?.parentId).toBe(documentId(1));
  press('ArrowLeft');
  await advance(fixture, 2_000);
  expect(fixture.server.documents.find(({ id }) => id === documentId(2))).toMatchObject({ parentId: null });
});

test('a row that moved does not take the focus back from where the person has gone meanwhile', async () => {
  await renderTree();
  // A slow machine draws the next frame late.
  const frames: FrameRequestCallback[] = [];
  const later = vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((run) => frames.push(run));
  const moved = screen.getByText('Minutes').closest('a');
  const other = screen.getByText('Waves').closest('a');
  act(() => moved?.focus());
  fireEvent.keyDown(moved ?? document.body, { key: 'ArrowUp', altKey: true });
  expect(frames.length).toBeGreaterThan(0);
  act(() => other?.focus());
  act(() => frames.forEach((run) => run(0)));
  later.mockRestore();
  expect(document.activeElement).toBe(other);
});

test('Enter opens a page right after a row was dragged; the click that ends the drag opens none', async () => {
  await renderTree();
  const link = screen.getByRole('link', { name: 'Minutes' });
  const isOpened = () => link.closest('.row')?.hasAttribute('data-clicked');
  fireEvent.pointerDown(link, { button: 0, pointerType: 'mouse' });
  fireEvent.pointerMove(link, { clientX: 40, clientY: 40, pointerType: 'mouse' });
  fireEvent.pointerUp(link);
  fireEvent.click(link, { detail: 1 });
  expect(isOpened()).toBe(false);
  fireEvent.click(link, { detail: 0 });
  expect(isOpened()).toBe(true);
});

test('a page is renamed in its row: Enter saves, Escape does not', async () => {
  const { fixture } = await renderTree();
  act(() => screen.getByText('Minutes').focus());
  const rename = (typed: string, end: string) => {
    fireEvent.keyDown(screen.getByText('Minutes'), { key: 'F2' });
    const field = screen.getByRole('textbox', { name: 'Page title' });
    fireEvent.change(field, { target: { value: typed } });
    fireEvent.keyDown(field, { key: end });
  };
  rename('Nothing', 'Escape');
  expect(titles()).toContain('Minutes');
  rename('Minutes of May', 'Enter');
  await advance(fixture, 10);
  expect(titles()).toContain('Minutes of May');
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('a title that is too long says so and is not saved', async () => {
  const { fixture } = await renderTree();
  act(() => screen.getByText('Minutes').focus());
  fireEvent.keyDown(screen.getByText('Minutes'), { key: 'F2' });
  const field = screen.getByRole('textbox', { name: 'Page title' });
  fireEvent.change(field, { target: { value: 'x'.repeat(201) } });
  expect(screen.getByRole('alert').textContent).toBe('At most 200 characters.');
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(screen.getByRole('textbox')).toBe(field);
  fireEvent.blur(field);
  await advance(fixture, 10);
  expect(titles()).toContain('Minutes');
});

test.each([0, 5_000])('a page that was moved to the trash comes back by Undo, %i ms later', async (ms) => {
  const { fixture } = await renderTree();
  act(() => screen.getByText('Minutes').focus());
  fireEvent.keyDown(screen.getByText('Minutes'), { key: 'Delete' });
  expect(titles()).toEqual(['Plan for 14 June', 'Waves', 'Untitled']);
  await advance(fixture, ms);
  fireEvent.click(await screen.findByRole('button', { name: 'Undo', hidden: true }));
  await advance(fixture, 5_000);
  expect(titles()).toContain('Minutes');
  expect(screen.queryByText('“Minutes” moved to trash')).toBeNull();
});

test('Ctrl Z in the tree takes back what was done last, step by step', async () => {
  const { fixture } = await renderTree();
  const press = (key: string, keys: object = {}) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ...keys });
  act(() => screen.getByText('Minutes').focus());
  press('ArrowRight', { altKey: true });
  press('Delete');
  await advance(fixture, 5_000);
  expect(titles()).toEqual(['Plan for 14 June', 'Waves', 'Untitled']);
  press('z', { ctrlKey: true });
  await advance(fixture, 5_000);
  expect(titles()).toEqual(['Plan for 14 June', 'Waves', 'Minutes', 'Untitled']);
  expect(screen.queryByText('“Minutes” moved to trash')).toBeNull();
  press('z', { ctrlKey: true });
  await advance(fixture, 5_000);
  expect(fixture.server.documents.find(({ id }) => id === documentId(2))).toMatchObject({ parentId: null });
  press('z', { ctrlKey: true });
  await advance(fixture, 10);
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain('Nothing to undo');
});

test('the menu of a row moves its page to the trash', async () => {
  const { fixture } = await renderTree();
  const row = screen.getByRole('row', { name: /^Plan for 14 June/ });
  fireEvent.click(within(row).getByRole('button', { name: 'More' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Move to trash/ }));
  expect(titles()).toEqual(['Minutes', 'Untitled']);
  await advance(fixture, 2_000);
  expect(fixture.server.calls).toContain('trashDocument');
});

test('viewers are offered nothing that they may not do', async () => {
  const fixture = appFixture();
  fixture.server.documents = [pageSummary(1, 'Plan', { role: 'viewer' })];
  await renderInApp(
    fixture,
    <PageTree
      current={null}
      onNewPage={() => undefined}
      onChosen={() => undefined}
      onDuplicate={() => undefined}
      onMoveTo={() => undefined}
      askToMove={(_page, _parent, move) => move()}
      onCopyLink={() => undefined}
      onChooseIcon={() => undefined}
    />,
  );
  await advance(fixture, 2_000);
  expect(screen.queryByRole('button', { name: 'New page inside' })).toBeNull();
  act(() => screen.getByText('Plan').focus());
  for (const key of ['F2', 'Delete']) fireEvent.keyDown(screen.getByText('Plan'), { key });
  expect([titles(), screen.queryByRole('textbox')]).toEqual([['Plan'], null]);
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    'Copy link',
    'Add to favourites',
  ]);
});

test('only some rows of ten thousand pages are drawn', async () => {
  const fixture = appFixture();
  fixture.server.documents = Array.from({ length: 10_000 }, (_, n) =>
    pageSummary(n + 1, `Page ${n + 1}`, { rank: `a${String(n).padStart(5, '0')}` }),
  );
  await renderInApp(
    fixture,
    <PageTree
      current={null}
      onNewPage={() => undefined}
      onChosen={() => undefined}
      onDuplicate={() => undefined}
      onMoveTo={() => undefined}
      askToMove={(_page, _parent, move) => move()}
      onCopyLink={() => undefined}
      onChooseIcon={() => undefined}
    />,
  );
  await advance(fixture, 2_000);
  expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('10000');
  expect(screen.getAllByRole('row').length).toBeLessThan(200);
});

test('a change of one page renders its row only, and not the tree', async () => {
  const { fixture } = await renderTree();
  const [rows, trees] = [vi.mocked(hooks.useListedPage), vi.mocked(useRowWindow)];
  rows.mockClear();
  trees.mockClear();
  fixture.server.documents = fixture.server.documents.map((page) =>
    page.id === documentId(2) ? { ...page, title: 'Minutes of May' } : { ...page },
  );
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'changed', id: documentId(2), workspace: northquay.id }));
  await advance(fixture, 2_000);
  expect(screen.getByText('Minutes of May')).toBeDefined();
  expect([rows.mock.calls, trees.mock.calls.length]).toEqual([[[documentId(2)]], 0]);
});

test('moving the focus renders the two rows that change their place in the order of Tab', async () => {
  await renderTree();
  act(() => screen.getByText('Waves').focus());
  const rows = vi.mocked(hooks.useListedPage);
  rows.mockClear();
  act(() => screen.getByText('Minutes').focus());
  expect(rows.mock.calls.map(([id]) => id)).toEqual([documentId(3), documentId(2)]);
});

test('favourites stand above the tree, in the order in which they were added', async () => {
  const fixture = appFixture();
  await renderInApp(
    fixture,
    <>
      <Favourites current={null} onChosen={() => undefined} />
      <PageTree
        current={null}
        onNewPage={() => undefined}
        onChosen={() => undefined}
        onDuplicate={() => undefined}
        onMoveTo={() => undefined}
        askToMove={(_page, _parent, move) => move()}
        onCopyLink={() => undefined}
        onChooseIcon={() => undefined}
      />
    </>,
  );
  await advance(fixture, 2_000);
  const choose = async (title: RegExp, item: string) => {
    fireEvent.click(within(screen.getByRole('row', { name: title })).getByRole('button', { name: 'More' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
    await advance(fixture, 2_000);
  };
  const shown = () =>
    within(screen.getByRole('region', { name: 'Favourites' }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
  await choose(/^Minutes/, 'Add to favourites');
  await choose(/^Plan/, 'Add to favourites');
  expect(shown()).toEqual(['Minutes', 'Plan for 14 June']);
  await choose(/^Minutes/, 'Remove from favourites');
  expect(shown()).toEqual(['Plan for 14 June']);
  expect(fixture.server.documents.filter(({ favouriteRank }) => favouriteRank !== null)).toHaveLength(1);
});
