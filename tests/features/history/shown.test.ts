// The marks of the history for changes and authors, and the states of a block that can be restored.
import { describe, expect, test, vi } from 'vitest';
import { plainRun, textBlock } from 'weft-document/blocks/detached-block.ts';
import { elementsOfBlocks } from 'weft-document/body/fill-page.ts';
import { bodyOf, titleOf } from 'weft-document/names.ts';
import { SEED_SESSION } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { XmlElement, XmlText } from 'yjs';
import { isSameAsBlock, restorableBlock, restorableWords } from '../../../src/features/history/restore/restorable.ts';
import { authorsPage } from '../../../src/features/history/shown/authors-page.ts';
import { changesPage } from '../../../src/features/history/shown/changes-page.ts';
import { drawableBlocks } from '../../../src/features/history/shown/drawable-blocks.ts';
import { ShownMoment } from '../../../src/features/history/shown/shown-moment.ts';
import type { SaysWho, ShownPage } from '../../../src/features/history/shown/shown-page.ts';
import { blockHistories } from '../../../src/features/history/shown/use-block-histories.ts';
import { keptBlocks } from '../../../src/features/history/shown/use-kept-blocks.ts';
import { type Result, ok } from '../../../src/lib/result.ts';
import type { PageHistory } from '../../../src/ports/history.ts';
import type { HistoryRows } from '../../../src/protocol/history-answers.ts';
import { answerJob } from '../../../src/sessions/history/answer-question.ts';
import { OpenedHistory } from '../../../src/sessions/history/opened-history.ts';
import { PageLog } from '../../../src/sessions/history/page-log.ts';
import { alice, bob } from '../../support/app/app-fixture.ts';
import { Writer, sessionOf } from '../../support/editor/random-log.ts';

const NAMES = new Map([
  [alice.id, 'Alice'],
  [bob.id, 'Bob'],
]);
const saysWho: SaysWho = (contribution) => ({
  says: NAMES.get(contribution?.by ?? alice.id) ?? '?',
  short: NAMES.get(contribution?.by ?? alice.id) ?? '?',
  dye: contribution?.by === bob.id ? 'rust' : 'orchil',
});

/** The value of an answer that has one. */
function valueOf<T>(answer: Result<T, unknown>): T {
  if (!answer.ok) throw new Error('no answer');
  return answer.value;
}

function historyOf(rows: readonly Row[], putBack: HistoryRows['putBack'] = []): PageHistory {
  const log = new PageLog();
  const answer = async (after: number) =>
    ok({ rows: rows.slice(after), head: rows.length, more: false, schemaVersion: 1, beginning: null, putBack });
  return new OpenedHistory(
    {
      rows: answer,
      authors: async () =>
        ok(
          new Map([
            [sessionOf(1), alice.id],
            [sessionOf(2), bob.id],
          ]),
        ),
      fromServer: (at) => at,
    },
    { run: async (job) => ok(answerJob(log, job)), close: () => undefined },
  );
}

/** Alice writes three lines; Bob adds words, replaces one, removes a line and adds one. */
async function twoPeople() {
  const rows: Row[] = [];
  const [one, other] = [new Writer(1), new Writer(2)];
  const line = (words: string) => elementsOfBlocks([textBlock({}, [plainRun(words)])]);
  bodyOf(one.doc).insert(0, [...line('Slip swept'), ...line('Ropes down, both sides'), ...line('The end.')]);
  one.send(rows);
  other.receive(rows);
  const textAt = (at: number): XmlText => {
    const element = bodyOf(other.doc).get(at);
    const text = element instanceof XmlElement ? element.get(0) : null;
    if (!(text instanceof XmlText)) throw new Error('no text');
    return text;
  };
  textAt(1).delete(6, 4);
  textAt(1).insert(6, 'up');
  textAt(2).insert(8, ' Loudly.');
  bodyOf(other.doc).insert(3, [...line('A new line.')]);
  bodyOf(other.doc).delete(0, 1);
  titleOf(other.doc).insert(0, 'Plan');
  other.send(rows);
  const history = historyOf(rows);
  await history.refresh();
  return history;
}

/** The page as a person sees it: words, with their changes and authors. */
function seen({ blocks, marks, blockLooks }: ShownPage): readonly string[] {
  return blocks.map((block) => {
    const text = block.type === 'block' ? block.runs.map((run) => run.text).join('') : '';
    const found = (marks.get(block.key) ?? []).flatMap((mark) => {
      const { look } = mark;
      if (look === undefined) return [];
      const words = mark.type === 'text' ? text.slice(mark.from, mark.to) : 'text' in mark ? mark.text : '';
      return [`${look.kind} “${words}” ${look.says}`];
    });
    return [blockLooks.get(block.key)?.sign ?? 'same', ...found].join(' | ');
  });
}

describe('changes', () => {
  test('stand in their places with who did them: added and removed words and blocks', async () => {
    const history = await twoPeople();
    const changes = await history.changes(1, 2);
    const shown = changesPage(valueOf(changes), saysWho);
    expect(seen(shown)).toEqual([
      'removed | removed “Slip swept” Removed by Bob',
      'same | removed “down” Removed by Bob | added “up” Added by Bob',
      'same | added “Loudly.” Added by Bob',
      'added | added “A new line.” Added by Bob',
    ]);
    expect([shown.title, shown.titleBefore]).toEqual(['Plan', '']);
    expect(shown.steps).toHaveLength(4);
    expect(shown.blocks.map(({ key }) => key)).toContain(shown.steps[0]?.key);
    expect(shown.words).toEqual({ inserted: 5, removed: 3 });
  });

  test('to a later version say that they came later', async () => {
    const history = await twoPeople();
    const changes = await history.changes(2, 1);
    const [first] = seen(changesPage(valueOf(changes), saysWho));
    expect(first).toBe('added | added “Slip swept” Removed later; written by Alice');
  });

  test('of another day than the page have their date beside the block', async () => {
    const history = await twoPeople();
    const changes = valueOf(await history.changes(1, 2));
    const dayAfter = (history.row(2)?.at ?? 0) + 2 * 24 * 60 * 60_000;
    const times = (at: number | null) =>
      Array.from(changesPage(changes, saysWho, at).notes.values(), ({ time }) => time);
    expect(times(history.row(2)?.at ?? null)).toContainEqual(expect.stringMatching(/^\d\d:\d\d$/));
    expect(times(dayAfter)).toContainEqual(expect.stringMatching(/^1 Jan \d\d:\d\d$/));
  });

  test('that leave nothing of the page show what was removed', async () => {
    const rows: Row[] = [];
    const one = new Writer(1);
    bodyOf(one.doc).insert(0, [...elementsOfBlocks([textBlock({}, [plainRun('Only words')])])]);
    one.send(rows);
    bodyOf(one.doc).delete(0, 1);
    one.send(rows);
    const history = historyOf(rows);
    await history.refresh();
    const changes = await history.changes(1, 2);
    const shown = changesPage(valueOf(changes), saysWho);
    expect(seen(shown)).toEqual(['removed | removed “Only words” Removed by Alice']);
    expect(shown.steps).toEqual([{ key: shown.blocks[0]?.key, step: 0, says: 'Removed 1 block: “Only words”' }]);
  });
});

test('authors mark each range, and a name stands where it changes', async () => {
  const history = await twoPeople();
  const authored = await history.authors(2);
  const shown = authorsPage(valueOf(authored), saysWho);
  expect(seen(shown)).toEqual([
    'same | written “Ropes ” Written by Alice | written “up” Written by Bob | written “, both sides” Written by Alice',
    'same | written “The end.” Written by Alice | written “ Loudly.” Written by Bob',
    'same | written “A new line.” Written by Bob',
  ]);
  expect(Array.from(shown.notes.values(), ({ name, others }) => [name, others])).toEqual([
    ['Alice', 1],
    ['Alice', 1],
    ['Bob', 0],
  ]);
});

test('a block can be restored as it is shown, a removed one as it was, and a changed one of now as it was before', async () => {
  const history = await twoPeople();
  const found = async (seq: number, from: number) => {
    const changes = await history.changes(from, seq);
    return {
      mode: 'changes',
      request: { mode: 'changes', seq, from, beginning: null },
      changes: valueOf(changes),
    } as const;
  };
  const now = await found(2, 1);
  const { blocks } = changesPage(now.changes, saysWho);
  const [removed, changed, , added] = blocks.map(({ key }) => key);
  const [slip, ropes] = now.changes.before.blocks.map(({ id }) => id);
  expect(restorableBlock(now, removed ?? '', 2)).toEqual({ seq: 1, id: slip });
  expect(restorableBlock(now, changed ?? '', 2)).toEqual({ seq: 1, id: ropes });
  expect(restorableBlock(now, added ?? '', 2)).toBe(null);
  // In an earlier version, each block can be restored.
  const earlier = await found(1, 0);
  expect(restorableBlock(earlier, earlier.changes.page.blocks[1]?.key ?? '', 2)).toEqual({ seq: 1, id: ropes });
  expect(restorableBlock(null, 'any', 2)).toBe(null);
});

test('removed words of the change that the reader is at can be restored, and nothing of other changes', async () => {
  const history = await twoPeople();
  const found = async (seq: number, from: number) => {
    const request = { mode: 'changes', seq, from, beginning: null } as const;
    return { mode: 'changes', request, changes: valueOf(await history.changes(from, seq)) } as const;
  };
  const now = await found(2, 1);
  const shown = changesPage(now.changes, saysWho);
  const [removed, changed, added] = shown.blocks.map(({ key }) => key);
  const stepOf = (key = '') => shown.steps.find((one) => one.key === key)?.step ?? null;
  const { seq, words } = restorableWords(now, shown, changed ?? '', stepOf(changed)) ?? {};
  expect([seq, words?.before.text, words?.before.from, words?.before.to]).toEqual([1, 'Ropes down, both sides', 6, 10]);
  expect([words?.after.text, words?.after.at]).toEqual(['Ropes up, both sides', 6]);
  // Nothing comes back for a change beside it, a block that is gone as a whole, and added words.
  expect(restorableWords(now, shown, changed ?? '', stepOf(added))).toBe(null);
  expect(restorableWords(now, shown, removed ?? '', stepOf(removed))).toBe(null);
  expect(restorableWords(now, shown, added ?? '', stepOf(added))).toBe(null);
  // Words that came later are there already.
  const backwards = await found(1, 2);
  const earlier = changesPage(backwards.changes, saysWho);
  for (const { key, step } of earlier.steps) expect(restorableWords(backwards, earlier, key, step)).toBe(null);
  expect(isSameAsBlock(now, changed ?? '', 2)).toBe(false);
});

const never = () => Promise.reject(new Error('no one asked'));

test('while an answer is on its way, requests in between are dropped', async () => {
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  const pageAt = (seq: number) =>
    new Promise<Awaited<ReturnType<PageHistory['pageAt']>>>((done) => {
      asked.push(seq);
      waiting.push(() => done(ok({ seq, title: '', blocks: [] })));
    });
  const moment = new ShownMoment({ pageAt, authors: never, changes: never });
  for (const seq of [1, 2, 3, 3]) moment.show({ mode: 'plain', seq, from: 0, beginning: null });
  expect(asked).toEqual([1]);
  waiting.shift()?.();
  await expect.poll(() => asked).toEqual([1, 3]);
  expect(moment.get().found?.request.seq).toBe(1);
  waiting.shift()?.();
  await expect.poll(() => moment.get().isBusy).toBe(false);
  expect(moment.get().found?.request.seq).toBe(3);
});

test('blocks that are as they were keep their objects', () => {
  const block = (key: string, words: string) => ({ ...textBlock({}, [plainRun(words)]), key, id: key });
  const before = [block('a', 'one'), block('b', 'two')];
  const now = [block('a', 'one'), block('b', 'three')];
  const kept = keptBlocks(before, now);
  expect(kept[0]).toBe(before[0]);
  expect(kept[1]).toBe(now[1]);
});

test('of a page that is too long to be drawn the beginning is drawn', () => {
  const block = (n: number) => ({ ...textBlock({}, [plainRun('words')]), key: `${n}`, id: null });
  const blocks = Array.from({ length: 20_000 }, (_, n) => block(n));
  const drawn = drawableBlocks(blocks, new Map());
  expect([drawn.length > 1_000, drawn.length < 10_000]).toEqual([true, true]);
  expect(drawn).toEqual(blocks.slice(0, drawn.length));
  expect(drawableBlocks(blocks.slice(0, 100), new Map())).toHaveLength(100);
});

test('a block whose history says the same keeps its object through steps', async () => {
  const history = await twoPeople();
  const page = async () => changesPage(valueOf(await history.changes(1, 2)), saysWho);
  const [first, second] = [await page(), await page()];
  const [key, other] = first.blocks.map((block) => block.key);
  const before = blockHistories(new Map(), { page: first, current: null, picked: null });
  const after = blockHistories(before, { page: second, current: null, picked: key ?? '' });
  expect(after.get(key ?? '')?.history.isPicked).toBe(true);
  expect(after.get(other ?? '')).toBe(before.get(other ?? ''));
});

test('[HI4] a row that was put back is by the person who put it back, in the page and in the timeline', async () => {
  const rows: Row[] = [];
  const [one, other] = [new Writer(1), new Writer(2)];
  bodyOf(one.doc).insert(0, [...elementsOfBlocks([textBlock({}, [plainRun('Slip swept')])])]);
  one.send(rows);
  other.receive(rows);
  bodyOf(other.doc).insert(1, [...elementsOfBlocks([textBlock({}, [plainRun('Ropes down, both sides, and more')])])]);
  other.send(rows);
  const log = rows.map((row, at) => (at === rows.length - 1 ? { ...row, session: SEED_SESSION } : row));
  const seq = log.at(-1)?.seq ?? 0;
  const history = historyOf(log, [{ seq, by: bob.id }]);
  await vi.waitFor(() => expect(history.getView().phase).toBe('ready'));
  expect(history.row(seq)).toMatchObject({ seq, by: bob.id });
  const columns = valueOf(await history.timeline(2000));
  expect(columns.at(-1)).toMatchObject({ toSeq: seq, by: bob.id });
});
