import { expect, test } from 'vitest';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import {
  MIN_INTERVAL_MS,
  OWN_PAUSE_MS,
  MAX_DELAY_MS,
  PAUSE_MS,
  Announcer,
} from '../../../src/editor/announcements/announcer.ts';

function startAnnouncer(words: ReadonlyMap<object, string> = new Map()) {
  const clock = new SimClock();
  const announced: (readonly [atMs: number, sentence: string])[] = [];
  const start = clock.now();
  const announcer = new Announcer({
    announce: (sentence) => announced.push([clock.now() - start, sentence]),
    wordsOf: (block) => words.get(block) ?? '',
    after: (ms, run) => clock.after(ms, run),
    now: () => clock.now(),
  });
  return { announcer, announced, clock };
}
const block = {};
const other = {};

test('a change is announced once, after a pause, with the text of the block', async () => {
  const { announcer, announced, clock } = startAnnouncer(new Map([[block, 'The harbour\nopens at six']]));
  for (let character = 0; character < 10; character++) {
    announcer.changed('Bob', block);
    await clock.run(300);
  }
  await clock.run(60_000);
  expect(announced).toEqual([[2_700 + PAUSE_MS, 'Bob changed “The harbour opens at six”.']]);
});

test('someone who never pauses is announced after a while, and then rarely', async () => {
  const { announcer, announced, clock } = startAnnouncer();
  for (let character = 0; character < 200; character++) {
    announcer.changed('Bob', null);
    await clock.run(200);
  }
  expect(announced.map(([at]) => at)).toEqual([
    MAX_DELAY_MS,
    MAX_DELAY_MS + MIN_INTERVAL_MS,
    MAX_DELAY_MS + 2 * MIN_INTERVAL_MS,
  ]);
  expect(new Set(announced.map(([, sentence]) => sentence))).toEqual(new Set(['Bob changed the page.']));
});

test('nothing is announced while this user types', async () => {
  const { announcer, announced, clock } = startAnnouncer();
  announcer.changed('Bob', null);
  for (let character = 0; character < 40; character++) {
    await clock.run(250);
    announcer.typed();
  }
  expect(announced).toEqual([]);
  await clock.run(60_000);
  expect(announced).toEqual([[10_000 + OWN_PAUSE_MS, 'Bob changed the page.']]);
});

test('several people and several blocks are one sentence, which names the last block', async () => {
  const { announcer, announced, clock } = startAnnouncer(
    new Map([
      [block, 'first'],
      [other, 'x'.repeat(60)],
    ]),
  );
  announcer.changed('Bob', block);
  announcer.changed('Carol', other);
  announcer.changed(null, block);
  announcer.changed('Bob', other);
  await clock.run(60_000);
  expect(announced.map(([, sentence]) => sentence)).toEqual([
    `Bob, Carol and 1 other changed 2 blocks, last “${'x'.repeat(48)}…”.`,
  ]);
});

test('arrivals and departures are announced, but not of someone who is back or gone at once', async () => {
  const { announcer, announced, clock } = startAnnouncer();
  announcer.arrived('Bob');
  announcer.arrived('Carol');
  announcer.left('Bob');
  announcer.left('Dora');
  announcer.arrived('Dora');
  announcer.left('Emil');
  await clock.run(60_000);
  expect(announced.map(([, sentence]) => sentence)).toEqual(['Carol opened the page. Emil left.']);
});

test('someone who arrives and leaves within one pause is not announced, and nothing is announced after the page is closed', async () => {
  const { announcer, announced, clock } = startAnnouncer();
  announcer.arrived('Bob');
  announcer.left('Bob');
  await clock.run(60_000);
  announcer.changed('Bob', block);
  announcer.stop();
  await clock.run(60_000);
  expect(announced).toEqual([]);
});
