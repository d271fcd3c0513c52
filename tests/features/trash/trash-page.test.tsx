import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { titleOf } from 'weft-document/names.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import * as Y from 'yjs';
import { TrashPage } from '../../../src/features/trash/trash-page.tsx';
import type { DocumentSummary, TrashEntry } from '../../../src/protocol/answers.ts';
import { Toasts } from '../../../src/ui/floating/toast.tsx';
import { alice, appFixture, bob, documentId, northquay, pageSummary } from '../../support/app/app-fixture.ts';
import { advance, renderInApp } from '../../support/app/render-in-app.tsx';
import { pageSeed } from '../../support/editor/page-seed.ts';

afterEach(cleanup);

type Fixture = ReturnType<typeof appFixture>;
const DAY_MS = 24 * 60 * 60_000;
const START = Date.now();

function inTrash({ server }: Fixture, n: number, title: string, facts: Partial<TrashEntry> = {}, page = {}) {
  const { trashedAt = START - n, trashedBy = alice.id } = facts;
  server.documents.push(pageSummary(n, title, { trashedAt, trashedBy, ...page }));
  server.trashFacts.set(documentId(n), facts);
}

function pageOf(title: string, text: string): Y.Doc {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, pageSeed(text));
  titleOf(doc).insert(0, title);
  return doc;
}

async function renderTrash(prepare: (fixture: Fixture) => void = (fixture) => inTrash(fixture, 3, 'Ferry table')) {
  const fixture = appFixture();
  prepare(fixture);
  const onOpen = vi.fn<(page: DocumentSummary) => void>();
  const workspace = await renderInApp(
    fixture,
    <>
      <TrashPage onOpen={onOpen} />
      <Toasts />
    </>,
  );
  await advance(fixture, 1_000);
  return { fixture, onOpen, workspace };
}

const rows = () => within(screen.getByRole('list', { name: 'Pages in the trash' })).getAllByRole('listitem');
const shownTitles = () => rows().map((row) => row.querySelector('.trash-title')?.textContent);
const facts = () => rows().map((row) => row.querySelector('p > small')?.firstChild?.textContent);
const rowOf = (title: string) => {
  const row = rows()[shownTitles().indexOf(title)];
  if (row === undefined) throw new Error(`no row ${title}`);
  return within(row);
};
const button = (name: string) => screen.getByRole('button', { name });
const type = (text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: 'Search titles' }), { target: { value: text } });

test('lists the pages in the trash with who moved them there, what is inside, where they were, and how long they stay', async () => {
  await renderTrash((fixture) => {
    inTrash(fixture, 3, 'Ferry table', { parentTitle: 'Harbour swim', restoresToTop: false });
    inTrash(fixture, 4, '', { isEmpty: true, trashedBy: bob.id });
    inTrash(fixture, 5, 'Photos', { pages: 14, trashedAt: START - 27 * DAY_MS }, { parentId: documentId(9) });
    inTrash(fixture, 6, 'Old', { trashedAt: START - 29.5 * DAY_MS, trashedBy: null });
  });
  expect(shownTitles()).toEqual(['Ferry table', 'Untitled', 'Photos', 'Old']);
  expect(facts()).toEqual([
    expect.stringMatching(/^You, \d\d:\d\d · was in Harbour swim$/),
    expect.stringMatching(/^Bob Holm, \d\d:\d\d · empty$/),
    expect.stringMatching(/^You, .+ · 14 pages inside · restores to the top level$/),
    expect.stringMatching(/^\d+ \w+( \d+)?$/),
  ]);
  expect(rows().map((row) => row.querySelector(':scope > small')?.textContent)).toEqual([
    '30 days left',
    '30 days left',
    '3 days left',
    '1 day left',
  ]);
});

test('restores a page, stays in the list with the focus on the next row, and offers to open the page', async () => {
  const { fixture, onOpen } = await renderTrash((one) => {
    inTrash(one, 3, 'Ferry table', { parentTitle: 'Harbour swim', restoresToTop: false });
    inTrash(one, 4, 'Old plan');
  });
  const restore = rowOf('Ferry table').getByRole('button', { name: 'Restore' });
  restore.focus();
  fireEvent.click(restore);
  await advance(fixture, 100);
  await act(() => new Promise((done) => requestAnimationFrame(() => done(undefined))));
  expect(shownTitles()).toEqual(['Old plan']);
  expect(document.activeElement?.textContent).toBe('Old plan');
  expect(screen.getByText('Restored “Ferry table” to Harbour swim')).toBeDefined();
  expect(onOpen).not.toHaveBeenCalled();
  fireEvent.click(button('Open'));
  expect(onOpen.mock.calls.map(([{ id }]) => id)).toEqual([documentId(3)]);
});

test('viewers neither restore nor delete, and may look', async () => {
  await renderTrash((fixture) => inTrash(fixture, 3, 'Ferry table', { mayPurge: false }, { role: 'viewer' }));
  expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['Ferry table']);
});

test('deletes for good only after a question', async () => {
  const { fixture } = await renderTrash();
  fireEvent.click(button('Delete permanently'));
  expect(fixture.server.calls).not.toContain('purgeDocument');
  fireEvent.click(button('Delete page'));
  await advance(fixture, 100);
  expect(fixture.server.documents.map(({ id }) => id)).not.toContain(documentId(3));
  expect(screen.getByText('The trash is empty')).toBeDefined();
});

test('the search finds titles by parts of words, whatever their case and accents', async () => {
  await renderTrash((fixture) => {
    inTrash(fixture, 3, 'Café tables');
    inTrash(fixture, 4, 'Ferry table 2023');
  });
  type('TABLE cafe');
  expect(shownTitles()).toEqual(['Café tables']);
  expect(screen.getByText('1 of 2 found')).toBeDefined();
  type('swan');
  expect(screen.getByRole('heading', { name: 'No matches' })).toBeDefined();
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Search titles' }), { key: 'Escape' });
  expect(shownTitles()).toEqual(['Café tables', 'Ferry table 2023']);
});

test('the first hundred of a large trash are listed, the others on request; the search looks at all', async () => {
  await renderTrash((fixture) => {
    for (let n = 3; n < 133; n++) inTrash(fixture, n, `Page ${n}`);
  });
  expect(rows().length).toBe(100);
  type('page 132');
  expect(shownTitles()).toEqual(['Page 132']);
  type('');
  fireEvent.click(button('Show 30 more'));
  expect(rows().length).toBe(130);
});

test('empties the trash after a question with the number of pages, and deletes only what it counted', async () => {
  const { fixture } = await renderTrash((one) => {
    inTrash(one, 3, 'Ferry table', { pages: 14, files: 23 });
    inTrash(one, 4, 'Old plan');
    inTrash(one, 5, 'Not mine', { mayPurge: false });
  });
  fireEvent.click(button('Empty trash'));
  const question = within(screen.getByRole('dialog', { name: 'Empty the trash?' }));
  question.getByText(
    '16 pages are deleted with their history and 23 files. This can’t be undone. Pages that you can’t manage stay.',
  );
  expect(fixture.server.calls).not.toContain('emptyTrash');
  inTrash(fixture, 6, 'Trashed meanwhile');
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'trashed', id: documentId(6), workspace: northquay.id }));
  await advance(fixture, 100);
  fireEvent.click(question.getByRole('button', { name: 'Delete 16 pages' }));
  await advance(fixture, 100);
  expect(fixture.server.emptied).toEqual([[documentId(3), documentId(4)]]);
  await advance(fixture, 100);
  expect(screen.queryByRole('dialog', { name: 'Empty the trash?' })).toBeNull();
  expect(shownTitles()).toEqual(['Not mine', 'Trashed meanwhile']);
});

test('a trash that cannot be emptied says why, and the question stays', async () => {
  const { fixture } = await renderTrash();
  fixture.server.refusals.set('emptyTrash', weftError('WF002'));
  fireEvent.click(button('Empty trash'));
  fireEvent.click(button('Delete 1 page'));
  await advance(fixture, 100);
  expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).not.toBe('');
  expect(screen.getByText('Ferry table')).toBeDefined();
});

test('no one who manages nothing in the trash is offered to empty it', async () => {
  await renderTrash((fixture) => inTrash(fixture, 3, 'Ferry table', { mayPurge: false }));
  expect(screen.queryByRole('button', { name: 'Empty trash' })).toBeNull();
});

test('a title opens the page to look at, with its newest title; from there it is restored', async () => {
  const { fixture } = await renderTrash();
  fixture.server.pages.set(documentId(3), () => pageOf('Ferry table 2024', 'Monday at 9:12'));
  fireEvent.click(button('Ferry table'));
  // The code of the preview loads when it is first needed.
  await screen.findByRole('dialog', {}, { timeout: 10_000 });
  await advance(fixture, 100);
  const preview = within(screen.getByRole('dialog', { name: 'Ferry table 2024' }));
  preview.getByText('Monday at 9:12');
  expect(preview.getByRole('link', { name: 'Open page' }).getAttribute('href')).toMatch(/^\/w\/northquay\/p\/ferry/);
  fireEvent.click(preview.getByRole('button', { name: 'Restore' }));
  await advance(fixture, 100);
  expect(screen.getByText('The trash is empty')).toBeDefined();
});

test('a preview that does not load can be tried again, and asks before it deletes', async () => {
  const { fixture } = await renderTrash();
  fixture.server.refusals.set('readPage', weftError('WF011'));
  fireEvent.click(button('Ferry table'));
  await screen.findByRole('dialog', {}, { timeout: 10_000 });
  await advance(fixture, 100);
  screen.getByText('The page can’t be shown now.');
  fixture.server.refusals.clear();
  fixture.server.pages.set(documentId(3), () => pageOf('Ferry table', 'Monday at 9:12'));
  fireEvent.click(button('Try now'));
  await advance(fixture, 100);
  screen.getByText('Monday at 9:12');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete permanently' }));
  expect(screen.getByRole('dialog', { name: 'Delete “Ferry table” permanently?' })).toBeDefined();
  expect(fixture.server.calls).not.toContain('purgeDocument');
});

test('what others trash and rename appears without a reload; a failed load can be tried again', async () => {
  const { fixture } = await renderTrash((one) => {
    inTrash(one, 3, 'Ferry table');
    one.server.refusals.set('trash', weftError('WF011'));
  });
  expect(screen.getByText('The trash is not on this device.')).toBeDefined();
  fixture.server.refusals.clear();
  fireEvent.click(button('Try now'));
  await advance(fixture, 100);
  inTrash(fixture, 4, 'Old plan');
  const change = (op: 'trashed' | 'changed', n: number) =>
    act(() => fixture.stream.sendChange({ kind: 'document', op, id: documentId(n), workspace: northquay.id }));
  change('trashed', 4);
  await advance(fixture, 100);
  expect(shownTitles()).toEqual(['Ferry table', 'Old plan']);
  // The copy of a new title arrives after the page.
  const at = fixture.server.documents.findIndex(({ id }) => id === documentId(4));
  fixture.server.documents[at] = pageSummary(4, 'New plan', { trashedAt: START - 4, trashedBy: alice.id });
  const loads = () => fixture.server.calls.filter((call) => call === 'trash').length;
  const before = loads();
  change('changed', 1);
  await advance(fixture, 100);
  expect(loads()).toBe(before);
  change('changed', 4);
  await advance(fixture, 100);
  expect(shownTitles()).toEqual(['Ferry table', 'New plan']);
});

test('a list that could not be loaded again says so, and loads when the server is back', async () => {
  const { fixture, workspace } = await renderTrash();
  const offline = weftError('WF011');
  for (const call of ['trash', 'documents']) fixture.server.refusals.set(call, offline);
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'trashed', id: documentId(4), workspace: northquay.id }));
  await advance(fixture, 500);
  expect(screen.getByText('Can’t reach the server. This is what was known before.')).toBeDefined();
  expect(shownTitles()).toEqual(['Ferry table']);
  fixture.server.refusals.clear();
  inTrash(fixture, 4, 'Old plan');
  await act(() => workspace.refresh());
  await advance(fixture, 1_000);
  expect(shownTitles()).toEqual(['Ferry table', 'Old plan']);
  expect(screen.queryByText(/known before/)).toBeNull();
});
