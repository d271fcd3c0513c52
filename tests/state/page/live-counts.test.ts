// The counts behind "Live updates" on `/status`: each reason once when it begins, over all pages, closed ones included.
import { expect, test } from 'vitest';
import type { LiveDiagnostics } from 'weft-sync/session/views.ts';
import { NO_LIVE_COUNTS, PageLiveCounts, sumOfLiveCounts } from '../../../src/state/page/live-counts.ts';
import { appFixture, documentId } from '../../support/app/app-fixture.ts';
import { personOf } from '../../support/app/render-in-app.tsx';

const SHARED: LiveDiagnostics = {
  withoutText: null,
  intervalMs: 50,
  share: 1,
  slowdowns: 0,
  topicMode: 'live',
  others: 1,
  isListed: true,
  shownLive: 0,
  shownByRow: 0,
  waiting: 0,
};

/** A page whose view changes once for each entry; a plain reason stands for an edit that waits. */
function pageWith(...views: readonly (LiveDiagnostics['withoutText'] | Partial<LiveDiagnostics>)[]) {
  const page = new PageLiveCounts();
  for (const view of views) {
    const isReason = view === null || typeof view === 'string';
    page.observe({ ...SHARED, ...(isReason ? { withoutText: view } : view) }, isReason);
  }
  return page;
}

test('a reason counts each time it begins, not at every edit while it lasts', () => {
  const page = pageWith('crowded', 'crowded', 'crowded', null, 'crowded', 'not joined', 'crowded');
  expect([...page.read(SHARED).fallbacks]).toEqual([
    ['crowded', 3],
    ['not joined', 1],
  ]);
});

test('a reason that passes while no edit waits does not count, and the same reason later does', () => {
  const joining = { withoutText: 'not joined' } as const;
  expect(pageWith(joining, {}, joining, {}).read(SHARED)).toEqual(NO_LIVE_COUNTS);
  expect([...pageWith(joining, 'not joined').read(SHARED).fallbacks]).toEqual([['not joined', 1]]);
});

test('reasons count only on pages where someone else was, before or after', () => {
  const alone = { withoutText: 'alone', others: 0 } as const;
  const typedWhileOpening = new PageLiveCounts();
  typedWhileOpening.observe({ ...SHARED, withoutText: 'not joined', others: 0 }, true);
  typedWhileOpening.observe({ ...SHARED, ...alone }, true);
  expect(typedWhileOpening.read({ ...SHARED, ...alone })).toEqual(NO_LIVE_COUNTS);
  typedWhileOpening.observe(SHARED, false);
  expect([...typedWhileOpening.read(SHARED).fallbacks]).toEqual([['not joined', 1]]);
});

test('edits sent live are noted', () => {
  expect([pageWith(null).read(SHARED).hasSentText, pageWith({}).read(SHARED).hasSentText]).toEqual([true, false]);
});

test('pages are summed', () => {
  const one = pageWith('crowded', null).read({ ...SHARED, shownLive: 4, shownByRow: 1 });
  const other = pageWith('crowded', 'refused').read({ ...SHARED, shownLive: 2, slowdowns: 3 });
  expect(sumOfLiveCounts([one, other])).toEqual({
    shownLive: 6,
    shownByRow: 1,
    slowdowns: 3,
    hasSentText: true,
    fallbacks: new Map([
      ['crowded', 2],
      ['refused', 1],
    ]),
  });
});

test('a person’s counts hold open pages and closed ones, each once', async () => {
  const fixture = appFixture();
  const person = personOf(fixture);
  const open = async (n: number, live: Partial<LiveDiagnostics>) => {
    const { release } = person.pages.acquire(documentId(n));
    await fixture.clock.run(10);
    const session = fixture.sessions.get(documentId(n));
    if (session === undefined) throw new Error('the page is not open');
    Object.assign(session, { liveDiagnostics: () => ({ ...SHARED, ...live }) });
    session.setView({ unsent: { edits: 1, oldestAt: 5 } });
    return release;
  };
  const expected = { shownLive: 3, shownByRow: 1, fallbacks: new Map([['crowded', 1]]) };
  const release = await open(1, { withoutText: 'crowded', shownLive: 3, shownByRow: 1 });
  expect(person.readLiveCounts()).toMatchObject(expected);
  release();
  await fixture.clock.run(5_000);
  expect(person.pages.peek(documentId(1))).toBe(null);
  expect(person.readLiveCounts()).toMatchObject(expected);
  await open(1, { shownLive: 2 });
  expect(person.readLiveCounts()).toMatchObject({ ...expected, shownLive: 5, hasSentText: true });
});
