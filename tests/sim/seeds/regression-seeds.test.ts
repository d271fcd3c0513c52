// Seeds that once failed, each with the reason. When the simulation draws other random numbers, the same seed makes another
// world, so each fixed fault also has its own test in tests/sync.
import { describe, expect, test } from 'vitest';
import { runSeed } from './run-seed.ts';

const SEEDS = [
  { seed: 120005329, why: 'a live update beyond a recovered outbox could not be taken out, and the page began anew' },
  { seed: 455, why: 'two parts of one row needed structs of each other, and Yjs left some of both pending' },
  {
    seed: 480,
    why: 'a tab that rejoined because an answer said that the schema was raised sent live updates without text for good',
  },
  { seed: 3423, why: 'a reader dropped words that were in the log already, and showed them again two seconds later' },
  { seed: 2822, why: 'outboxes of three tabs needed each other, and a fourth that built on them was refused' },
  {
    seed: 13583,
    why: 'while rows were fetched for an edit, the live update it builds on was replaced by one that builds on later edits',
  },
  {
    seed: 554,
    why: 'a tab showed an edit of its device, and kept characters of it that had been erased when the row came',
  },
  { seed: 700, why: 'a reader whose announcement was lost while the server was away stayed without a name for good' },
  ...[30466, 8105476, 8105731, 8106616, 8107231, 8108386, 8109136, 8109996].map((seed) => ({
    seed,
    why: 'Stop was pressed while a stop was under way, and the next presentation was stopped after its first call',
  })),
  ...[8100923, 700940, 8101241, 8102072, 8103491, 8107766, 8107880, 8108423, 8110034].map((seed) => ({
    seed,
    why: 'a message of another tab made a page take stored rows before it had read how much was erased from them',
  })),
  { seed: 110003181, why: 'undo put a character between its neighbour and itself, which no one takes' },
  { seed: 65565497, why: 'a tab whose copy another tab had replaced stored its acknowledgements nowhere' },
];

const GOING_BACK = [
  {
    seed: 299006570,
    why: 'a tab that could not read the device stored new rows over lost ones, which no one else had',
  },
  { seed: 299006590, why: 'live updates under what waited were dropped and shown again, with a rebuild each time' },
  { seed: 295001242, why: 'a tab set its page aside and forgot rows that another tab of the device had stored' },
  {
    seed: 291007730,
    why: 'a lost row came late and was stored over the new one, and another tab’s next row was read after it',
  },
  {
    seed: 281201774,
    why: 'edits were stored without the row below them, which could not be stored, and the server lost it',
  },
  {
    seed: 150005042,
    why: 'an edit had left the outbox although the write of its row failed, and the server lost the row',
  },
  { seed: 120005578, why: 'an edit had left the outbox before its row was here, and the server lost the row' },
  { seed: 53, why: 'a put-back outbox was refused before the edits it builds on had come' },
  { seed: 72000709, why: 'an outbox was refused just before another device put back what it builds on' },
  { seed: 72000827, why: 'a tab whose copy another tab had replaced read its put-back outbox again and again' },
  { seed: 123, why: 'rows of acknowledged edits were lost before they came, and the edits after them were refused' },
  {
    seed: 99001298,
    why: 'something to be put back came while an outbox was registered, and was to be registered as well',
  },
  { seed: 111001710, why: 'rows of another log were taken behind one whose number was here already' },
  { seed: 97000172, why: 'an append from before was answered with the number of another row, and counted as damaged' },
  { seed: 73000026, why: 'a session that was ending presented once more, and its timer stayed' },
];

const HARSH = [
  {
    seed: 297001976,
    why: 'a world was called quiet while a tab with a refused outbox waited for the answer to its last append',
  },
  { seed: 296001680, why: 'a reader’s tab set its edits aside without what they build on, which was hidden just then' },
  { seed: 291002691, why: 'two tabs drew one client id, and the later one’s edits were called a broken promise' },
  {
    seed: 286000979,
    why: 'a viewer’s tab set characters aside as deleted without their deletion, and showed them when it was put back',
  },
  { seed: 281605603, why: 'a tab whose rows the store refused learned late that another tab had begun a new copy' },
  { seed: 281503855, why: 'a tab set aside another one’s outbox with an edit in it that it had not seen' },
  { seed: 281304008, why: 'a tab of the former history stored its rows again after the new one had replaced them' },
  { seed: 150004712, why: 'an answer from before access ended hid that there was none, and nothing asked again' },
  {
    seed: 120007588,
    why: 'a document was rebuilt from another history, and its own outbox brought back erased characters',
  },
  { seed: 91100020, why: 'a page that had to start anew again was shown nevertheless, and stayed open after its tab' },
  { seed: 92000131, why: 'a closing page waited for the pause before it would have started anew again' },
  { seed: 92000009, why: 'a reader’s outbox was refused, because another tab of theirs held what it builds on' },
  { seed: 92000126, why: 'nothing could be set aside, and the former history stayed stored below the new one' },
  { seed: 94000166, why: 'what was to be put back waited for ever for a live update whose author was gone' },
  { seed: 94000496, why: 'edits of a tab that could not store all of them brought back erased words' },
  { seed: 98000884, why: 'a tab took rows of the new history that another tab had stored, and kept erased words' },
  {
    seed: 110000344,
    why: 'a tab took a snapshot of the new history that another tab had stored, and kept erased words',
  },
  { seed: 110001884, why: 'a call that failed after the page was set aside stored its edits once more' },
  { seed: 94000379, why: 'a reader was shown what another tab of theirs could not send' },
];

describe('[I3] [D6] seeds that once failed', () => {
  test.each(SEEDS)('seed $seed: $why', async ({ seed }) => {
    expect((await runSeed(seed, { liveUpdates: true })).problems).toEqual([]);
  });
});

describe('[HI4] [HI6] seeds that failed while the server went back', () => {
  test.each(GOING_BACK)('seed $seed: $why', async ({ seed }) => {
    expect((await runSeed(seed, { liveUpdates: true, goesBack: true })).problems).toEqual([]);
  });
});

describe('[HI3] [HI4] [HI9] seeds that failed while stores failed and much was erased', () => {
  test.each(HARSH)('seed $seed: $why', async ({ seed }) => {
    expect((await runSeed(seed, { liveUpdates: true, isHarsh: true })).problems).toEqual([]);
  });
});

test('seed 1584539950: a reader who looked in just before the end was not named yet', async () => {
  expect((await runSeed(1584539950, { liveUpdates: false })).problems).toEqual([]);
});
