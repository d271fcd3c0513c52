import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { PaletteProvider, usePalette } from '../../../src/screens/palette/palette-provider.tsx';
import { appFixture, bob, documentId, pageSummary } from '../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);
// Loaded before the tests: on a busy machine the modules take longer to load than a test waits.
beforeAll(
  () =>
    Promise.all([
      import('../../../src/screens/palette/find-palette.tsx'),
      import('../../../src/screens/palette/move-palette.tsx'),
    ]),
  60_000,
);

const newPage = vi.fn<(parent: DocumentId | null) => void>();
const shell = {
  isSidebarOpen: true,
  toggleSidebar: () => undefined,
  importFiles: () => undefined,
  newPage,
  present: null,
  offerPresent: () => undefined,
  offerShare: () => undefined,
};

function Address() {
  return <output>{useLocation().pathname}</output>;
}

function MoveButton() {
  const open = usePalette();
  return <button onClick={() => open({ of: 'move', page: documentId(1) })}>Move</button>;
}

async function renderPalette(present: (() => void) | null = null, share: (() => void) | null = null) {
  const fixture = appFixture();
  fixture.server.documents.push(
    pageSummary(3, 'Waves', { parentId: documentId(1), access: 'inherit' }),
    pageSummary(4, 'Treasurer', { access: 'restricted', rank: 'a9' }),
  );
  await renderInApp(
    fixture,
    <PaletteProvider shell={{ ...shell, present, share }}>
      <Address />
      <MoveButton />
    </PaletteProvider>,
  );
  await advance(fixture, 2_000);
  return fixture;
}
const field = () => screen.getByRole('combobox');
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });
const options = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent);

test('a page that is open here is found by the title that it has now, before the list has it', async () => {
  const fixture = await renderPalette();
  const { value: page } = personOf(fixture).pages.acquire(documentId(2));
  await advance(fixture, 1_000);
  act(() => page.setTitle('Regatta'));
  expect(fixture.server.documents.find(({ id }) => id === documentId(2))?.title).toBe('Minutes');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  type('regat');
  expect(options('Pages')).toEqual(['Regatta']);
  fireEvent.keyDown(field(), { key: 'Escape' });
  fireEvent.click(screen.getByRole('button', { name: 'Move' }));
  await screen.findByRole('combobox', { name: 'Move “Plan for 14 June” to…' });
  type('regat');
  expect(options('Pages')).toEqual(['Regatta']);
});

test('Ctrl K opens it and closes it again; Enter opens the page that is chosen', async () => {
  await renderPalette();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(await screen.findByRole('combobox', { name: 'Search pages, people and actions' })).toBeDefined();
  type('wav');
  expect(options('Pages')).toEqual(['WavesPlan for 14 June']);
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(screen.getByRole('status', { hidden: true }).textContent).toMatch(/^\/w\/northquay\/p\/waves-/);
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('Enter right after a character opens what matches all of it, though the list is not drawn yet', async () => {
  await renderPalette();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  type('tre');
  expect(options('Pages')).toEqual(['Treasurer']);
  // As in a browser: React draws the field in the event, and the list when there is time.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  const input = field();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'wav');
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await Promise.resolve();
  expect(options('Pages')).toEqual(['Treasurer']);
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  vi.unstubAllGlobals();
  const opened = () => screen.getByRole('status', { hidden: true }).textContent;
  await vi.waitFor(() => expect(opened()).toMatch(/^\/w\/northquay\/p\//));
  expect(opened()).toContain('/waves-');
});

test('its foot says what the keys do, each with its words', async () => {
  await renderPalette();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  const foot = Array.from(document.querySelectorAll('.palette-foot > span'), ({ textContent }) => textContent);
  expect(foot).toEqual(['↑↓ to navigate', '↵ to open', 'Ctrl ↵ to open beside', 'Esc to close']);
});

test('an editor presents the open page from it; where no page is open, that is not offered', async () => {
  const present = vi.fn<() => void>();
  await renderPalette(present);
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  type('prese');
  expect(options('Actions')).toEqual(['Present']);
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(present).toHaveBeenCalledTimes(1);
  cleanup();
  await renderPalette();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  type('prese');
  expect(screen.queryByRole('option', { name: 'Present' })).toBeNull();
});

test('the open page is shared from it, and the workspace’s screens are found by their names', async () => {
  const share = vi.fn<() => void>();
  await renderPalette(null, share);
  const search = async (text: string) => {
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await screen.findByRole('combobox');
    type(text);
    expect(options('Actions')).toHaveLength(1);
    fireEvent.keyDown(field(), { key: 'Enter' });
  };
  await search('share');
  expect(share).toHaveBeenCalledTimes(1);
  const address = () => screen.getByRole('status', { hidden: true }).textContent;
  for (const [text, path] of [
    ['trash', 'trash'],
    ['invitations', 'members'],
    ['export', 'settings'],
  ] as const) {
    await search(text);
    expect(address()).toBe(`/w/northquay/${path}`);
  }
});

test('arrows walk through all groups and around; what is chosen is named to screen readers', async () => {
  await renderPalette();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  const chosen = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;
  const all = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(chosen()).toBe(all[0]);
  fireEvent.keyDown(field(), { key: 'ArrowUp' });
  expect(chosen()).toBe(all.at(-1));
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  expect(chosen()).toBe(all[1]);
});

test('the Enter that ends a composed word chooses nothing', async () => {
  await renderPalette();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  fireEvent.keyDown(field(), { key: 'Enter', keyCode: 229 });
  expect(screen.getByRole('combobox')).toBeDefined();
});

test('people are found where they are, and actions by their names', async () => {
  const fixture = await renderPalette();
  act(() => personOf(fixture).people.ensureLoaded([bob.id]));
  act(() => fixture.stream.sendLocations([{ user: bob.id, document: documentId(3) }]));
  await advance(fixture, 1_000);
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  await screen.findByRole('combobox');
  type('bob');
  expect(options('People')[0]).toContain('on “Waves” now');
  type('new');
  expect(options('Actions')).toEqual(['New page', 'New page from a template']);
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(newPage).toHaveBeenCalledExactlyOnceWith(null);
});

test('“Move to…” offers only places where the page can go, and says where fewer people have access', async () => {
  const fixture = await renderPalette();
  fireEvent.click(screen.getByRole('button', { name: 'Move' }));
  await screen.findByRole('combobox', { name: 'Move “Plan for 14 June” to…' });
  // Not into itself, nor into the page below it, nor to the top, where it is.
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Treasurer Fewer people have access',
    'Minutes',
  ]);
  type('minu');
  fireEvent.keyDown(field(), { key: 'Enter' });
  await advance(fixture, 2_000);
  expect(fixture.server.documents.find(({ id }) => id === documentId(1))?.parentId).toBe(documentId(2));
});
