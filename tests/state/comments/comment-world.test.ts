// Comments in a world where calls and answers are lost or repeated, rights come and go, and tabs are killed: the real code of the
// state, on a server in memory. The simulated world of the sync core (tests/sim) has no comments: they are rows, of which its
// sessions know nothing. tests/sim/mutants has broken builds that these rules notice.
import { beforeAll, expect, test } from 'vitest';
import { CommentWorld } from './comment-world.ts';
import { wordsOf } from './person-comments-fixture.ts';

const SEEDS = 60;

const problems: string[] = [];
const counts = new Map<string, number>();

beforeAll(async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const world = new CommentWorld(seed);
    await world.run();
    problems.push(...problemsOf(world).map((problem) => `seed ${seed}: ${problem}`));
    for (const [what, count] of world.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  }
}, 60_000);

function problemsOf(world: CommentWorld): readonly string[] {
  const stored = world.stored();
  const there = Array.from(stored.values())
    .flat()
    .filter(({ words }) => words !== null);
  const found: string[] = [];
  if (new Set(there.map(({ words }) => words)).size < there.length) found.push('CQ2 some words are there twice');
  if (there.some(({ id }) => !world.meant.has(id))) found.push('CQ2 no one wrote what is there');
  for (const [id, meant] of world.meant) {
    const say = (what: string) => found.push(`${what}: ${meant.words}`);
    const stands = there.find((one) => one.id === id);
    const waiting = Array.from(meant.device.comments.values()).filter(
      (change) => 'comment' in change && change.comment === id,
    );
    const isRefused = waiting.some((one) => one.refused !== null && 'body' in one && wordsOf(one.body) === meant.words);
    if (waiting.some(({ refused }) => refused === null)) say('CQ1 it still waits');
    if (stands !== undefined && waiting.some(({ kind }) => kind === 'start' || kind === 'reply'))
      say('CQ2 it is there, and waits as a new one');
    if (!meant.isRemoved && !meant.isDiscarded) {
      if (stands?.words !== meant.words && !isRefused) say('CQ1 it is neither there with its last words nor refused');
      if (isRefused) world.count('rejected words that stay');
    } else if (stands !== undefined && !meant.mayStay) say('CQ4 it was removed');
  }
  for (const [thread, comments] of stored)
    for (const tab of world.allTabs) {
      // Rejected words that the person sends once more come later.
      const written = Array.from(world.meant).filter(
        ([, one]) => one.tab === tab && one.thread === thread && !one.wasRejected,
      );
      const order = comments.map(({ id }) => id).filter((id) => written.some(([one]) => one === id));
      if (
        order.join() !==
        written
          .map(([id]) => id)
          .filter((id) => order.includes(id))
          .join()
      )
        found.push('CQ3 the order');
    }
  return found;
}

const of = (rule: string) => problems.filter((problem) => problem.includes(`: ${rule} `));

test('[CQ1] each comment is there with its last words, or refused, and never lost without a word', () => {
  expect(of('CQ1')).toEqual([]);
});

test('[CQ2] no comment is there twice, or is there and waits to be sent', () => {
  expect(of('CQ2')).toEqual([]);
});

test('[CQ3] what one tab wrote in a thread is there in that order', () => {
  expect(of('CQ3')).toEqual([]);
});

test('[CQ4] what was removed or discarded is not there', () => {
  expect(of('CQ4')).toEqual([]);
});

test('all of it happened', () => {
  const rare = [
    'a lost answer',
    'a repeated call',
    'a right revoked',
    'a tab killed',
    'an edit of words that wait',
    'rejected words discarded',
    'rejected words that stay',
    'written offline',
  ].filter((what) => (counts.get(what) ?? 0) < 10);
  expect(rare).toEqual([]);
});
