import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { createRef } from 'react';
import { useLocation } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { weftError } from 'weft-sync/protocol/errors.ts';
import { SearchPage } from '../../../src/features/search/search-page.tsx';
import type { SearchFilters, SearchResult } from '../../../src/protocol/search-answers.ts';
import { appFixture, bob, documentId, northquay, pageSummary } from '../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

const found = (n: number, title: string, more: Partial<SearchResult> = {}): SearchResult => ({
  document: documentId(n),
  title: { text: title, marks: [] },
  excerpts: [
    {
      text: 'Two on the safety boat, one in the kayak.',
      marks: [
        [11, 17],
        [18, 22],
      ],
    },
  ],
  matches: 5,
  at: Date.now(),
  by: bob.id,
  ...more,
});

function Address() {
  const { pathname, search, hash } = useLocation();
  return <output aria-label="address">{pathname + search + hash}</output>;
}
const address = () => screen.getByLabelText('address').textContent;
const field = () => screen.getByRole('textbox', { name: 'Search in all text' });
const results = () => screen.queryAllByRole('listitem').map((row) => row.querySelector('.hit-title')?.textContent);

async function renderSearch() {
  const fixture = appFixture();
  const asked: { query: string; filters: SearchFilters }[] = [];
  const server = { results: [found(1, 'Plan for 14 June'), found(2, 'Minutes')], total: 2 };
  fixture.server.onSearch = (query, filters) => {
    asked.push({ query, filters });
    return { total: server.total, isComplete: true, results: server.results };
  };
  const onNewPage = vi.fn<(title: string) => void>();
  await renderInApp(
    fixture,
    <>
      <Address />
      <SearchPage field={createRef()} onNewPage={onNewPage} />
    </>,
  );
  const type = async (text: string) => {
    fireEvent.change(field(), { target: { value: text } });
    fireEvent.keyDown(field(), { key: 'Enter' });
    await advance(fixture, 10);
  };
  return { fixture, server, asked, onNewPage, type };
}

test('searches once someone stops typing, marks the words and says what else there is', async () => {
  const { asked } = await renderSearch();
  fireEvent.change(field(), { target: { value: 'saf' } });
  fireEvent.change(field(), { target: { value: 'safety boat' } });
  await screen.findByText('2 pages');
  expect(asked).toEqual([{ query: 'safety boat', filters: {} }]);
  expect(address()).toBe('/?q=safety+boat');
  expect(results()).toEqual(['Plan for 14 June', 'Minutes']);
  expect(Array.from(document.querySelectorAll('mark')).map(({ textContent }) => textContent)).toContain('safety');
  expect(screen.getAllByText('3 more matches on this page')).toHaveLength(2);
});

test('arrows choose a result, and Enter opens it at the match', async () => {
  const { type } = await renderSearch();
  await type('safety boat');
  fireEvent.keyDown(field(), { key: 'ArrowDown' });
  const chosen = document.getElementById(field().getAttribute('aria-activedescendant') ?? '');
  expect(chosen?.textContent).toContain('Minutes');
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(address()).toMatch(
    /^\/w\/northquay\/p\/minutes-.*#find=safety\+boat&at=safety\+boat%2C\+one\+in\+the\+kayak\.$/,
  );
});

test('filters are part of the address, and × takes them away', async () => {
  const { type, asked, fixture } = await renderSearch();
  act(() => personOf(fixture).people.ensureLoaded([bob.id]));
  await type('boat');
  fireEvent.click(screen.getByRole('button', { name: 'Any author' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Bob Holm' }));
  await advance(fixture, 10);
  expect(asked.at(-1)).toEqual({ query: 'boat', filters: { author: bob.id } });
  expect(address()).toBe(`/?q=boat&by=${bob.id}`);
  fireEvent.click(screen.getByRole('button', { name: 'Clear author' }));
  await advance(fixture, 10);
  expect(asked.at(-1)).toEqual({ query: 'boat', filters: {} });
});

test('results are ordered by the best match, or by the newest change', async () => {
  const { type, asked, fixture } = await renderSearch();
  await type('boat');
  fireEvent.click(screen.getByRole('button', { name: 'Best match' }));
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Newest first' }));
  await advance(fixture, 10);
  expect(asked.at(-1)).toEqual({ query: 'boat', filters: { newestFirst: true } });
  expect(address()).toBe('/?q=boat&sort=newest');
  expect(screen.getByRole('button', { name: 'Newest first' })).toBeDefined();
});

test('the place to search in is any page with pages below it, in the order of the tree', async () => {
  const { type, asked, fixture } = await renderSearch();
  fixture.server.documents.push(
    pageSummary(3, 'Water safety', { parentId: documentId(1) }),
    pageSummary(4, 'Boat crew', { parentId: documentId(3) }),
    pageSummary(5, 'Agenda', { parentId: documentId(2) }),
  );
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'created', id: documentId(3), workspace: northquay.id }));
  await advance(fixture, 1_000);
  await type('boat');
  fireEvent.click(screen.getByRole('button', { name: 'All pages' }));
  await screen.findByRole('menuitemcheckbox', { name: 'In Water safety' });
  expect(screen.getAllByRole('menuitemcheckbox').map(({ textContent }) => textContent)).toEqual([
    'All pages',
    'In Plan for 14 June',
    'In Water safety',
    'In Minutes',
  ]);
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'In Water safety' }));
  await advance(fixture, 10);
  expect(asked.at(-1)?.filters).toEqual({ below: documentId(3) });
});

test('more results come on demand', async () => {
  const { type, server, asked, fixture } = await renderSearch();
  server.total = 3;
  await type('boat');
  server.results = [found(2, 'Minutes'), found(3, 'Boat crew')];
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await advance(fixture, 10);
  expect(asked.at(-1)?.filters).toEqual({ skip: 2 });
  expect(results()).toEqual(['Plan for 14 June', 'Minutes', 'Boat crew']);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('without matches it says what was searched, and offers a page of that name', async () => {
  const { type, server, onNewPage } = await renderSearch();
  server.results = [];
  server.total = 0;
  await type('kayak rota');
  expect(screen.getByRole('heading', { name: 'No matches for “kayak rota”' })).toBeDefined();
  expect(screen.getByText('No page contains these words. Only pages you can open are searched.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'New page “kayak rota”' }));
  expect(onNewPage).toHaveBeenCalledExactlyOnceWith('kayak rota');
});

test('without the server it searches titles and the pages on this device, and says so', async () => {
  const { type, fixture } = await renderSearch();
  fixture.server.documents.push(pageSummary(3, 'Boat crew'));
  fixture.device.cachedDocuments.push({ document: documentId(1), openedAt: 1, bytes: 1, isUnsent: false });
  fixture.device.texts.set(documentId(1), 'The safety boat calls.');
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'created', id: documentId(3), workspace: northquay.id }));
  await advance(fixture, 1_000);
  await personOf(fixture).cachedPages.refresh();
  fixture.server.refusals.set('search', weftError('WF011'));
  await type('boat');
  expect(results()).toEqual(['Boat crew', 'Plan for 14 June']);
  expect(
    screen.getByText('Can’t reach the server. Only titles and the text of 1 page on this device were searched.'),
  ).toBeDefined();
});

test('another error can be tried again', async () => {
  const { type, fixture } = await renderSearch();
  fixture.server.refusals.set('search', weftError('unknown'));
  await type('boat');
  expect(screen.getByRole('heading', { name: 'Something went wrong.' })).toBeDefined();
  fixture.server.refusals.clear();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await advance(fixture, 10);
  expect(results()).toEqual(['Plan for 14 June', 'Minutes']);
});

test('a page that is trashed or closed leaves the results', async () => {
  const { type, server, fixture } = await renderSearch();
  await type('boat');
  server.results = [found(2, 'Minutes')];
  server.total = 1;
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'trashed', id: documentId(1), workspace: northquay.id }));
  await advance(fixture, 10);
  expect(results()).toEqual(['Minutes']);
});
