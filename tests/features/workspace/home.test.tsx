import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Home } from '../../../src/features/workspace/home.tsx';
import { shortDate } from '../../../src/lib/short-date.ts';
import { titleOf } from '../../../src/document/names.ts';
import { ERROR_TEXTS } from '../../../src/protocol/errors.ts';
import { appFixture, bob, documentId, userId } from '../../support/app/app-fixture.ts';
import { advance, personOf, renderInApp } from '../../support/app/render-in-app.tsx';

afterEach(cleanup);

test('says who has which page open, and counts each person once', async () => {
  const fixture = appFixture();
  await renderInApp(fixture, <Home onNewPage={() => undefined} />);
  act(() =>
    fixture.stream.sendLocations([
      { user: bob.id, document: documentId(1) },
      { user: bob.id, document: documentId(2) },
      { user: userId(3), document: documentId(1) },
    ]),
  );
  await advance(fixture, 10);
  expect(screen.getByText('Bob and Carol have it open.')).toBeDefined();
  expect(screen.getByText('2 people')).toBeDefined();
});

test('does not say that nobody is here while it cannot know', async () => {
  const fixture = appFixture();
  await renderInApp(fixture, <Home onNewPage={() => undefined} />);
  act(() => fixture.stream.sendLocations(null));
  expect(screen.getByText('You can’t see who is where while offline.')).toBeDefined();
  act(() => fixture.stream.sendLocations([]));
  expect(screen.getByText('No other member has a page open right now.')).toBeDefined();
});

test('an empty workspace offers its first page', async () => {
  const fixture = appFixture();
  fixture.server.documents = [];
  await renderInApp(fixture, <Home onNewPage={() => undefined} />);
  expect(screen.getByRole('heading', { name: 'No pages yet' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'New page' })).toBeDefined();
});

test('offline, a list of pages that was never loaded shows an error', async () => {
  const fixture = appFixture();
  await fixture.clock.run(10);
  fixture.goOffline();
  await renderInApp(fixture, <Home onNewPage={() => undefined} />);
  expect(screen.getByRole('heading', { name: ERROR_TEXTS.WF011 })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Try now' })).toBeDefined();
});

test('while the server does not answer, pages on this device come first and the others are marked', async () => {
  const fixture = appFixture();
  fixture.device.cachedDocuments.push({ document: documentId(1), openedAt: 1, bytes: 1, isUnsent: false });
  await renderInApp(fixture, <Home onNewPage={() => undefined} />);
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
  await renderInApp(fixture, <Home onNewPage={() => undefined} />);
  personOf(fixture).pages.acquire(documentId(2));
  await advance(fixture, 10);
  act(() => {
    const session = fixture.sessions.get(documentId(2));
    if (session !== undefined) titleOf(session.doc).insert(0, 'Minutes of 14 June');
  });
  const names = () => screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(names()[0]).toEqual(['Minutes of 14 June', `/w/northquay/p/minutes-of-14-june-${documentId(2)}`]);
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
