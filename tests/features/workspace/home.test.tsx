import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { titleOf } from 'weft-document/names.ts';
import { HomePage } from '../../../src/features/workspace/home.tsx';
import { shortDate } from '../../../src/lib/text/times.ts';
import type { ActivityEntry } from '../../../src/protocol/home-answers.ts';
import { ERROR_TEXTS } from '../../../src/texts/error-texts.ts';
import {
  appFixture,
  bob,
  documentId,
  memoryListCache,
  northquay,
  pageSummary,
  userId,
} from '../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('says who has which page open, and counts each person once', async () => {
  const fixture = appFixture();
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  act(() =>
    fixture.stream.sendLocations([
      { user: bob.id, document: documentId(1) },
      { user: bob.id, document: documentId(2) },
      { user: userId(3), document: documentId(1) },
    ]),
  );
  await advance(fixture, 10);
  expect(screen.getByText('Bob and Carol have it open.')).toBeDefined();
  expect(screen.getByText('2 people, last hour')).toBeDefined();
});

test('shows where others are as soon as someone has become a member', async () => {
  const fixture = appFixture();
  fixture.server.workspaces[0] = { ...northquay, role: null };
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  await advance(fixture, 2_000);
  expect(screen.queryByRole('heading', { name: /Open now/ })).toBeNull();
  fixture.server.workspaces[0] = { ...northquay, role: 'member' };
  act(() => fixture.stream.sendChange({ kind: 'workspace', op: 'changed', id: northquay.id, workspace: northquay.id }));
  await advance(fixture, 5_000);
  expect(screen.getByRole('heading', { name: /Open now/ })).toBeDefined();
});

test('does not say that no one is here while it cannot know', async () => {
  const fixture = appFixture();
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  act(() => fixture.stream.sendLocations(null));
  expect(screen.getByText('You can’t see who is where while offline.')).toBeDefined();
  act(() => fixture.stream.sendLocations([]));
  expect(screen.getByText('No other member has a page open right now.')).toBeDefined();
});

test('offline, it says that it cannot know who is where, even while the socket looks open', async () => {
  const fixture = appFixture();
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  act(() => fixture.stream.sendLocations([{ user: bob.id, document: documentId(1) }]));
  expect(screen.getByText('Bob has it open.')).toBeDefined();
  fixture.goOffline();
  act(() => personOf(fixture).noteOffline());
  await advance(fixture, 2_000);
  expect(screen.queryByText('Bob has it open.')).toBeNull();
  expect(screen.getByText('You can’t see who is where while offline.')).toBeDefined();
});

test('an empty workspace offers its first page', async () => {
  const fixture = appFixture();
  fixture.server.documents = [];
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  expect(screen.getByRole('heading', { name: 'No pages yet' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'New page' })).toBeDefined();
});

test('offline, a list of pages that was never loaded shows an error', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  fixture.goOffline();
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  expect(screen.getByRole('heading', { name: ERROR_TEXTS.WF011 })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try now' })).toBeDefined();
});

test('while the server does not answer, pages on this device come first and the others are marked', async () => {
  const fixture = appFixture();
  fixture.device.cachedDocuments.push({ document: documentId(1), openedAt: 1, bytes: 1, isUnsent: false });
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows()[0]).toMatch(/^Minutes/);
  fixture.goOffline();
  act(() => personOf(fixture).noteOffline());
  await advance(fixture, 2_000);
  expect(rows()[0]).toMatch(/^Plan for 14 June/);
  expect(rows()[1]).toMatch(/^Minutesnot on this device/);
});

test('an open page is listed with the title that is being typed', async () => {
  const fixture = appFixture();
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  personOf(fixture).pages.acquire(documentId(2));
  await advance(fixture, 10);
  act(() => {
    const session = fixture.sessions.get(documentId(2));
    if (session !== undefined) titleOf(session.doc).insert(0, 'Minutes of 14 June');
  });
  const names = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(names()[0]).toEqual(['Minutes of 14 June', `/w/northquay/p/minutes-of-14-june-${documentId(2)}`]);
});

test('says who is editing, and when they edited in the last hour', async () => {
  const fixture = appFixture();
  vi.useFakeTimers({ toFake: ['Date'], now: fixture.clock.now() });
  const minutes = (...edited: number[]) => Array.from({ length: 60 }, (_, at) => (edited.includes(at) ? 2 : 0));
  fixture.server.home = {
    chart: [
      {
        document: documentId(1),
        minutes: minutes(10, 11, 59),
        people: [{ user: bob.id, minutes: minutes(10, 11, 59) }],
      },
    ],
    changes: [],
  };
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  await advance(fixture, 100);
  act(() => fixture.stream.sendLocations([bob.id, userId(3)].map((user) => ({ user, document: documentId(1) }))));
  await advance(fixture, 10);
  expect(screen.getByText('Bob is editing, Carol has it open.')).toBeDefined();
  expect(screen.getByText(/^Last hour: Bob edited from \d\d:\d\d to \d\d:\d\d and from \d\d:\d\d on\.$/)).toBeDefined();
});

test('pages that were visited come first, with what others changed since, apart from those that never were', async () => {
  const fixture = appFixture();
  fixture.server.documents = [
    pageSummary(1, 'Plan for 14 June', { visitedAt: 5_000 }),
    pageSummary(2, 'Minutes', { updatedBy: bob.id, favouriteRank: 'a1' }),
  ];
  fixture.server.home = { chart: [], changes: [{ document: documentId(1), count: 4 }] };
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  await advance(fixture, 100);
  const list = (name: string) => {
    const section = screen.getByRole('heading', { name }).closest('section');
    return Array.from(section?.querySelectorAll('li') ?? []).map((row) => row.textContent);
  };
  expect(list('Continue where you left off')).toEqual([
    expect.stringMatching(/^Plan for 14 June4 changes since your last visit/),
  ]);
  expect(list('Recently edited')).toEqual([expect.stringMatching(/^Minutesby Bob Holm/)]);
  expect(list('Favourites')).toEqual(['Minutes']);
});

/** What bob did so many minutes ago. */
function entry(n: number, more: Partial<ActivityEntry> = {}): ActivityEntry {
  const at = Date.now() - n * 60_000;
  const detail = {};
  return {
    id: `e${n}`,
    document: documentId(1),
    title: 'Plan',
    actor: bob.id,
    kind: 'created',
    detail,
    at,
    until: at,
    ...more,
  };
}

test('an entry says how many threads of comments are open on the page, and whether something is unread', async () => {
  const fixture = appFixture();
  fixture.server.documents = [
    pageSummary(1, 'Plan', { visitedAt: 9_000, openThreads: 3, unreadThreads: 1 }),
    pageSummary(2, 'Minutes', { visitedAt: 8_000, openThreads: 1 }),
    pageSummary(3, 'Route', { visitedAt: 7_000, openThreads: 20, unreadThreads: 10 }),
    pageSummary(4, 'Rota', { visitedAt: 6_000, unreadThreads: 1 }),
    pageSummary(5, 'Tides', { visitedAt: 5_000 }),
  ];
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  await advance(fixture, 100);
  const entries = () =>
    screen
      .getAllByRole('link')
      .map((link) => [link.textContent, link.parentElement?.querySelector('.comment-count')?.textContent]);
  expect(entries()).toEqual([
    ['Plan', 'Comments: 3 open, some unread'],
    ['Minutes', 'Comments: 1 open'],
    ['Route', 'Comments: 20 open, some unread'],
    ['Rota', 'Unread comments'],
    ['Tides', undefined],
  ]);
  fixture.server.documents = [pageSummary(5, 'Tides', { visitedAt: 5_000, openThreads: 1, unreadThreads: 1 })];
  act(() => fixture.stream.sendChange({ kind: 'comment', op: 'changed', id: documentId(5), workspace: northquay.id }));
  await advance(fixture, 3_000);
  expect(entries()).toEqual([['Tides', 'Comments: 1 open, some unread']]);
});

test('what others do appears in the activity without a reload, and older entries on demand', async () => {
  const fixture = appFixture();
  fixture.server.activity = Array.from({ length: 40 }, (_, n) => entry(n + 1));
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  await advance(fixture, 100);
  const feed = () => Array.from(document.querySelectorAll('.feed > li:not(.feed-day)')).map((row) => row.textContent);
  expect(feed()).toHaveLength(12);
  expect(feed()[0]).toMatch(/^Bob Holm created Plan for 14 June\d\d:\d\d$/);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(feed()).toHaveLength(30);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await advance(fixture, 100);
  expect(feed()).toHaveLength(40);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();

  fixture.server.activity.unshift(entry(0, { kind: 'moved', detail: { parent: documentId(2) } }));
  act(() => fixture.stream.sendChange({ kind: 'document', op: 'moved', id: documentId(1), workspace: northquay.id }));
  await advance(fixture, 5_000);
  expect(feed()[0]).toMatch(/^Bob Holm moved Plan for 14 June into Minutes/);
  expect(feed()).toHaveLength(41);
});

test('entries of a kind that only a newer app knows are left out, and the activity goes on behind them', async () => {
  const fixture = appFixture();
  fixture.server.activity = Array.from({ length: 40 }, (_, n) => entry(n + 1, n < 30 ? { kind: 'other' } : {}));
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  await advance(fixture, 100);
  expect(screen.queryByText('Nothing has happened here yet.')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await advance(fixture, 100);
  expect(document.querySelectorAll('.feed > li:not(.feed-day)')).toHaveLength(10);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

test('without the server the last activity is shown from this device', async () => {
  const listCache = memoryListCache();
  const first = appFixture({ listCache });
  const at = Date.now();
  first.server.activity = [
    { id: 'e1', document: null, title: null, actor: bob.id, kind: 'joined', detail: {}, at, until: at },
  ];
  await renderInApp(first, <HomePage onNewPage={() => undefined} />);
  await advance(first, 100);
  cleanup();
  const later = appFixture({ listCache, offline: true });
  await renderInApp(later, <HomePage onNewPage={() => undefined} />);
  await advance(later, 100);
  expect(document.querySelector('.feed > li')?.textContent).toMatch(/^Bob Holm joined/);
});

test('times are as short as possible without being ambiguous', () => {
  const now = new Date(2026, 5, 14, 12).getTime();
  const at = (...date: [number, number, number, number, number]) => shortDate(new Date(...date).getTime(), now);
  expect(at(2026, 5, 14, 9, 12)).toBe('09:12');
  expect(at(2026, 5, 13, 23, 59)).toBe('yesterday');
  expect(at(2026, 5, 10, 8, 0)).toBe('Wednesday');
  expect(at(2026, 4, 2, 8, 0)).toBe('2 May');
  expect(at(2025, 4, 2, 8, 0)).toBe('2 May 2025');
});

test('an import is one line, and its pages are listed only for those who have opened them', async () => {
  const fixture = appFixture();
  fixture.server.documents = [
    pageSummary(1, 'Opened', { visitedAt: 5_000, isImported: true }),
    pageSummary(2, 'Not opened', { isImported: true }),
    pageSummary(3, 'Written in later', { isImported: false }),
  ];
  const imported: ActivityEntry = {
    id: 'a',
    document: null,
    title: null,
    actor: bob.id,
    kind: 'created',
    detail: { pages: 42 },
    at: fixture.clock.now(),
    until: fixture.clock.now(),
  };
  fixture.server.activity = [imported];
  await renderInApp(fixture, <HomePage onNewPage={() => undefined} />);
  await advance(fixture, 100);
  expect(screen.getByText(/imported 42 pages/).textContent).toBe('Bob Holm imported 42 pages');
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Opened', 'Written in later']);
});
