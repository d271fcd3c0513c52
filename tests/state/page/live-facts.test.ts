import { expect, test } from 'vitest';
import type { LiveDiagnostics } from 'weft-sync/session/views.ts';
import { NO_LIVE_COUNTS } from '../../../src/state/page/live-counts.ts';
import { liveFacts, liveFactsOfTab } from '../../../src/state/page/live-facts.ts';

const QUIET: LiveDiagnostics = {
  withoutText: 'alone',
  intervalMs: 50,
  share: 1,
  slowdowns: 0,
  topicMode: 'live',
  others: 0,
  isListed: true,
  shownLive: 0,
  shownByRow: 0,
  waiting: 0,
};

test('the details say nothing about live updates while no one else is there', () => {
  expect(liveFacts(QUIET)).toEqual([]);
});

test('nor while nothing has been typed', () => {
  expect(liveFacts({ ...QUIET, withoutText: 'not registered', others: 1 })).toEqual([]);
});

test('they say how many edits of others live updates showed, of all', () => {
  expect(liveFacts({ ...QUIET, withoutText: null, others: 1, shownLive: 1_204, shownByRow: 6 })).toEqual([
    ['Others’ edits shown live', '1,204 of 1,210'],
  ]);
});

test('they say in words why own edits go out as rows, and that the server asked for fewer', () => {
  expect(liveFacts({ ...QUIET, withoutText: 'crowded', others: 40, slowdowns: 2 })).toEqual([
    ['Yours are shown once saved', 'many people writing'],
    ['Slowed down by the server', '2 times'],
  ]);
});

test('/status says how often each reason began, and "always" when there was none', () => {
  const fallbacks = new Map([
    ['crowded', 1],
    ['not joined', 1_200],
  ] as const);
  expect(liveFactsOfTab({ ...NO_LIVE_COUNTS, slowdowns: 1, hasSentText: true, fallbacks })).toEqual({
    totals: [['Slowed down by the server', 'once']],
    reasons: [
      ['Many people writing', 'once'],
      ['No live connection yet', '1,200 times'],
    ],
  });
  expect(liveFactsOfTab({ ...NO_LIVE_COUNTS, hasSentText: true }).totals).toEqual([['Your edits sent live', 'always']]);
  expect(liveFactsOfTab(NO_LIVE_COUNTS)).toEqual({ totals: [], reasons: [] });
});
