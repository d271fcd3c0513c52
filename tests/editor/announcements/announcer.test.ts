import { expect, test } from 'vitest';
import {
  MIN_INTERVAL_MS,
  OWN_PAUSE_MS,
  MAX_DELAY_MS,
  PAUSE_MS,
  createAnnouncer,
} from '../../../src/editor/announcements/announcer.ts';
import { SimClock } from '../../memory/sim-clock.ts';

function listening(words: ReadonlyMap<object, string> = new Map()) {
  const clock = new SimClock();
  const said: (readonly [atMs: number, sentence: string])[] = [];
  const start = clock.now();
  const news = createAnnouncer({
    say: (sentence) => said.push([clock.now() - start, sentence]),
    wordsOf: (block) => words.get(block) ?? '',
    after: (ms, run) => clock.after(ms, run),
    now: () => clock.now(),
  });
  return { news, said, clock };
}
const block = {};
const other = {};

test('a change is announced once, after a pause, with the text of the block', async () => {
  const { news, said, clock } = listening(new Map([[block, 'The harbour\nopens at six']]));
  for (let letter = 0; letter < 10; letter++) {
    news.changed('Bob', block);
    await clock.run(300);
  }
  await clock.run(60_000);
  expect(said).toEqual([[2_700 + PAUSE_MS, 'Bob changed “The harbour opens at six”.']]);
});

test('someone who never pauses is announced after a while, and then rarely', async () => {
  const { news, said, clock } = listening();
  for (let letter = 0; letter < 200; letter++) {
    news.changed('Bob', null);
    await clock.run(200);
  }
  expect(said.map(([at]) => at)).toEqual([
    MAX_DELAY_MS,
    MAX_DELAY_MS + MIN_INTERVAL_MS,
    MAX_DELAY_MS + 2 * MIN_INTERVAL_MS,
  ]);
  expect(new Set(said.map(([, sentence]) => sentence))).toEqual(new Set(['Bob changed the page.']));
});

test('nothing is announced while this user types', async () => {
  const { news, said, clock } = listening();
  news.changed('Bob', null);
  for (let letter = 0; letter < 40; letter++) {
    await clock.run(250);
    news.typed();
  }
  expect(said).toEqual([]);
  await clock.run(60_000);
  expect(said).toEqual([[10_000 + OWN_PAUSE_MS, 'Bob changed the page.']]);
});

test('several people and several blocks are one sentence, which names the last block', async () => {
  const { news, said, clock } = listening(
    new Map([
      [block, 'first'],
      [other, 'x'.repeat(60)],
    ]),
  );
  news.changed('Bob', block);
  news.changed('Cleo', other);
  news.changed(null, block);
  news.changed('Bob', other);
  await clock.run(60_000);
  expect(said.map(([, sentence]) => sentence)).toEqual([
    `Bob, Cleo and 1 other changed 2 blocks, last “${'x'.repeat(48)}…”.`,
  ]);
});

test('arrivals and departures are announced, but not of someone who is back or gone at once', async () => {
  const { news, said, clock } = listening();
  news.arrived('Bob');
  news.arrived('Cleo');
  news.left('Bob');
  news.left('Dora');
  news.arrived('Dora');
  news.left('Emil');
  await clock.run(60_000);
  expect(said.map(([, sentence]) => sentence)).toEqual(['Cleo opened the page. Emil left.']);
});

test('someone who arrives and leaves within one pause is not announced, and nothing is announced after the page is closed', async () => {
  const { news, said, clock } = listening();
  news.arrived('Bob');
  news.left('Bob');
  await clock.run(60_000);
  news.changed('Bob', block);
  news.stop();
  await clock.run(60_000);
  expect(said).toEqual([]);
});
