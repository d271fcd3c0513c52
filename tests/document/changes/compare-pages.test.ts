import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  PLAIN,
  type Run,
  type TableBlock,
  type TextBlock,
  parseStyle,
  textOfRuns,
} from 'weft-document/blocks/block.ts';
import { appliedAttributes, runsOfBlock, textOfBlock } from 'weft-document/changes/block-parts.ts';
import { comparePages } from 'weft-document/changes/compare-pages.ts';
import { outOfOrder } from 'weft-document/changes/match-blocks.ts';
import type { PageChanges, TextChanges } from 'weft-document/changes/page-changes.ts';
import { hasSameMarks } from 'weft-document/changes/text-changes.ts';
import { tokensOf, wordsIn } from 'weft-document/changes/words.ts';
import { WorkBudget } from '../../../src/lib/work-budget.ts';
import { repeatedly, timesAsLong } from '../../support/times-as-long.ts';

const run = (text: string, marks: Partial<Run> = {}): Run => ({ ...PLAIN, ...marks, text });
const block = (
  key: string,
  text: string | readonly Run[],
  style: Readonly<Record<string, unknown>> = {},
): TextBlock => ({
  type: 'block',
  key,
  id: `id-${key}`,
  ...parseStyle(style),
  runs: typeof text === 'string' ? [run(text)] : text,
});
const table = (key: string, rows: readonly (readonly (readonly [key: string, text: string])[])[]): TableBlock => ({
  type: 'table',
  key,
  id: `id-${key}`,
  headRow: true,
  headColumn: false,
  widths: rows[0]?.map(() => null) ?? [],
  alignments: rows[0]?.map(() => null) ?? [],
  rows: rows.map((row) => row.map(([cell, text]) => ({ key: cell, runs: [run(text)] }))),
});

/** The texts of a block's changes, as a person reads them. */
function readable(changes: PageChanges, after: readonly Block[]) {
  return changes.blocks.map(({ key, text, before, isMoved, attributes }) => ({
    key,
    ...(before === null && { isNew: true }),
    ...(isMoved && { isMoved }),
    ...(attributes.length > 0 && { attributes: attributes.map(({ name }) => name) }),
    ...(text !== null && wordsOf(text, textOfBlock(after.find((one) => one.key === key) ?? block('', '')))),
  }));
}

const wordsOf = ({ inserted, removed, formatted }: TextChanges, text: string) => ({
  ...(inserted.length > 0 && { inserted: inserted.map(({ from, to }) => text.slice(from, to)) }),
  ...(removed.length > 0 && { removed: removed.map((one) => one.text) }),
  ...(formatted.length > 0 && { formatted: formatted.map(({ from, to }) => text.slice(from, to)) }),
});

const compare = (before: readonly Block[], after: readonly Block[]) => readable(comparePages(before, after), after);
const compareTexts = (before: string, after: string) => {
  const { key: _key, ...rest } = compare([block('a', before)], [block('a', after)])[0] ?? { key: 'a' };
  return rest;
};

describe('words', () => {
  test('words inside a sentence are added and removed', () => {
    expect(compareTexts('The course leaves the east slip.', 'The long course leaves the slip.')).toEqual({
      inserted: ['long '],
      removed: ['east '],
    });
  });

  test('a changed word is one removal and one insertion at the same place', () => {
    const after = [block('a', 'Water was 13.5 °C on Tuesday.')];
    const { blocks } = comparePages([block('a', 'Water was 12 °C on Tuesday.')], after);
    expect(blocks[0]?.text).toEqual({
      inserted: [{ from: 10, to: 14 }],
      removed: [{ at: 10, text: '12', words: 1 }],
      formatted: [],
    });
  });

  test('several words in a row are one change, although the spaces between them stayed', () => {
    expect(compareTexts('Tell the timing desk now', 'Call a harbour office now')).toEqual({
      inserted: ['Call a harbour office'],
      removed: ['Tell the timing desk'],
    });
  });

  test('half a word that both have does not count as common', () => {
    expect(compareTexts('the harbour', 'the harvest')).toEqual({ inserted: ['harvest'], removed: ['harbour'] });
  });

  test('scripts without spaces are compared by their words', () => {
    const { inserted, removed } = compareTexts('私は東京に住んでいます', '私は京都に住んでいます');
    expect({ inserted, removed }).toEqual({ inserted: ['京都'], removed: ['東京'] });
    expect(wordsIn(tokensOf('ฉันชอบว่ายน้ำ'))).toBeGreaterThan(1);
  });

  test('bold text is formatted, not replaced', () => {
    expect(
      compare([block('a', 'one two three')], [block('a', [run('one '), run('two', { bold: true }), run(' three')])]),
    ).toEqual([{ key: 'a', formatted: ['two'] }]);
  });
});

describe('blocks', () => {
  test('a tick, an indent and a kind are attributes', () => {
    expect(
      compare(
        [block('a', 'x', { kind: 'task' }), block('b', 'y'), block('c', 'z')],
        [
          block('a', 'x', { kind: 'task', checked: true }),
          block('b', 'y', { indent: 2 }),
          block('c', 'z', { kind: 'quote' }),
        ],
      ),
    ).toEqual([
      { key: 'a', attributes: ['checked'] },
      { key: 'b', attributes: ['indent'] },
      { key: 'c', attributes: ['kind'] },
    ]);
  });

  test('a block that moves is moved, and those it passes are not', () => {
    const [a, b, c, d] = [block('a', 'one'), block('b', 'two'), block('c', 'three'), block('d', 'four')];
    expect(compare([a, b, c, d], [b, c, d, a])).toEqual([{ key: 'a', isMoved: true }]);
  });

  test('a block that was cut and pasted is recognized by its words, and has moved', () => {
    const before = [block('a', 'Slack water is at noon.'), block('b', 'Two.'), block('c', 'Three.')];
    const after = [block('b', 'Two.'), block('c', 'Three.'), { ...block('x', 'Slack water is at ten.'), id: 'new' }];
    expect(compare(before, after)).toEqual([{ key: 'x', isMoved: true, inserted: ['ten'], removed: ['noon'] }]);
  });

  test('removed blocks stand before the block that stayed', () => {
    const [a, b, c, d] = [block('a', 'one'), block('b', 'two words'), block('c', 'three'), block('d', 'four')];
    expect(comparePages([a, b, c, d], [a, d]).removed).toEqual([{ next: 'd', blocks: [b, c], words: 3 }]);
    expect(comparePages([a, b], [a]).removed).toEqual([{ next: null, blocks: [b], words: 2 }]);
  });

  test('tables are compared by cell, also after a row went in between', () => {
    const before = table('t', [
      [
        ['1', 'Wave'],
        ['2', 'Off'],
      ],
      [
        ['3', 'one'],
        ['4', '9:40'],
      ],
    ]);
    const after = table('t', [
      [
        ['1', 'Wave'],
        ['2', 'Off'],
      ],
      [
        ['5', 'zero'],
        ['6', ''],
      ],
      [
        ['3', 'one'],
        ['4', '9:45'],
      ],
    ]);
    expect(comparePages([before], [after]).blocks[0]?.cells).toEqual([
      { row: 1, column: 0, isNew: true, text: { inserted: [{ from: 0, to: 4 }], removed: [], formatted: [] } },
      { row: 1, column: 1, isNew: true, text: { inserted: [], removed: [], formatted: [] } },
      {
        row: 2,
        column: 1,
        isNew: false,
        text: { inserted: [{ from: 0, to: 4 }], removed: [{ at: 0, text: '9:40', words: 1 }], formatted: [] },
      },
    ]);
    expect(comparePages([after], [before]).blocks[0]?.removedCells).toEqual([
      { text: 'zero', words: 1 },
      { text: '', words: 0 },
    ]);
  });

  test('a table without any key of the old one is compared by its rows', () => {
    const before = table('t', [[['1', 'Wave']], [['2', 'one']], [['3', 'two']]]);
    const after = table('t', [[['a', 'Wave']], [['b', 'zero']], [['c', 'one']], [['d', 'two']]]);
    expect(comparePages([before], [after]).blocks[0]?.cells).toEqual([
      { row: 1, column: 0, isNew: true, text: { inserted: [{ from: 0, to: 4 }], removed: [], formatted: [] } },
    ]);
  });

  test('a picture, a file, a formula and a card have attributes', () => {
    const formula = { type: 'math', key: 'm', id: 'm', tex: 'a' } as const;
    const card = { type: 'embed', key: 'e', id: 'e', url: null, title: 'x' } as const;
    expect(
      compare(
        [formula, card],
        [
          { ...formula, tex: 'b' },
          { ...card, title: 'y' },
        ],
      ),
    ).toEqual([
      { key: 'm', attributes: ['tex'] },
      { key: 'e', attributes: ['title'] },
    ]);
  });
});

const words = fc.constantFrom('a', 'tide', 'isn’t', 'slip', '13.5', '—', 'wave', 'last', '.', '🏊', 'é');
const runs = fc.array(
  fc
    .record({ text: fc.array(words, { minLength: 1, maxLength: 5 }), bold: fc.boolean() })
    .map(({ text, bold }) => run(`${text.join(' ')} `, { bold })),
  { maxLength: 4 },
);
const styles = fc.record({
  kind: fc.constantFrom('paragraph', 'task', 'heading'),
  checked: fc.boolean(),
  level: fc.constantFrom(1, 2),
  indent: fc.integer({ min: 0, max: 2 }),
});
const pages = fc.uniqueArray(
  fc
    .record({ key: fc.integer({ min: 0, max: 12 }), runs, style: styles })
    .map(({ key, runs: text, style }): Block => block(String(key), text, style)),
  { maxLength: 10, selector: ({ key }) => key },
);

/** Takes what a comparison says back from the new page, one block at a time. */
function revertText({ inserted, removed }: TextChanges, text: string): string {
  const gone = new Map(removed.map((one) => [one.at, one.text]));
  const isNew = (at: number) => inserted.some(({ from, to }) => at >= from && at < to);
  let old = '';
  for (let at = 0; at <= text.length; at++) old += (gone.get(at) ?? '') + (isNew(at) ? '' : text.slice(at, at + 1));
  return old;
}

const textOfPage = (page: readonly Block[]) => page.map(textOfBlock).join('\n');

describe('for any two pages', () => {
  test('taking the changes back from the new page gives the old one', () => {
    fc.assert(
      fc.property(pages, pages, (before, after) => {
        const changes = comparePages(before, after);
        const oldOf = new Map(before.map((one) => [one.key, one]));
        const changeOf = new Map(changes.blocks.map((one) => [one.key, one]));
        const kept: Block[] = [];
        for (const one of after) {
          const change = changeOf.get(one.key);
          const old = oldOf.get(change === undefined ? one.key : (change.before ?? ''));
          if (change?.before === null) continue;
          if (old === undefined) throw new Error('an unknown block stayed');
          kept.push(old);
          const text = change?.text ?? { inserted: [], removed: [], formatted: [] };
          expect(revertText(text, textOfBlock(one))).toBe(textOfBlock(old));
          const attributes = {
            ...appliedAttributes(one),
            ...Object.fromEntries((change?.attributes ?? []).map(({ name, before: was }) => [name, was])),
          };
          expect(
            Object.entries(attributes)
              .filter(([, value]) => value !== undefined)
              .sort(),
          ).toEqual(Object.entries(appliedAttributes(old)).sort());
        }
        const removed = changes.removed.flatMap(({ blocks }) => blocks);
        expect([...kept, ...removed].map(({ key }) => key).sort()).toEqual(before.map(({ key }) => key).sort());
        const inOrder = kept.filter(
          (one) =>
            !after.some((now) => changeOf.get(now.key)?.isMoved === true && changeOf.get(now.key)?.before === one.key),
        );
        const places = inOrder.map((one) => before.indexOf(one));
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });

  test('text that stayed has the marks it had, unless it is named as formatted', () => {
    fc.assert(
      fc.property(runs, runs, (before, after) => {
        const marksOf = (list: readonly Run[]) =>
          list.flatMap((one) => Array.from({ length: one.text.length }, () => one));
        const [old, now] = [block('a', before), block('a', after)];
        const { text } = comparePages([old], [now]).blocks[0] ?? { text: null };
        const { inserted, removed, formatted } = text ?? { inserted: [], removed: [], formatted: [] };
        const [oldMarks, newMarks] = [marksOf(before), marksOf(after)];
        const gone = new Map(removed.map((one) => [one.at, one.text.length]));
        let at1 = 0;
        for (let at = 0; at < newMarks.length; at++) {
          at1 += gone.get(at) ?? 0;
          if (inserted.some(({ from, to }) => at >= from && at < to)) continue;
          const isNamed = formatted.some(({ from, to }) => at >= from && at < to);
          expect(hasSameMarks(oldMarks[at1], newMarks[at])).toBe(!isNamed);
          at1 += 1;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('equal pages have no changes', () => {
    fc.assert(
      fc.property(pages, (page) => {
        const copy = structuredClone(page) as readonly Block[];
        expect(comparePages(page, copy)).toEqual({ blocks: [], removed: [], insertedWords: 0, removedWords: 0 });
      }),
    );
  });

  test('the words that one direction adds the other removes, and both explain the difference in length', () => {
    fc.assert(
      fc.property(pages, pages, (before, after) => {
        const [there, back] = [comparePages(before, after), comparePages(after, before)];
        expect([there.insertedWords, there.removedWords]).toEqual([back.removedWords, back.insertedWords]);
        const count = (page: readonly Block[]) => wordsIn(tokensOf(textOfPage(page)));
        expect(there.insertedWords - there.removedWords).toBe(count(after) - count(before));
      }),
      { numRuns: 300 },
    );
  });

  test('as few blocks move as possible', () => {
    const longest = (numbers: readonly number[]): number => {
      const best: number[] = [];
      for (const [at, number] of numbers.entries())
        best.push(1 + Math.max(0, ...best.filter((_length, before) => before < at && (numbers[before] ?? 0) < number)));
      return Math.max(0, ...best);
    };
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { maxLength: 20 }), (numbers) => {
        const moved = outOfOrder(numbers);
        const rest = numbers.filter((_number, at) => !moved.has(at));
        expect(rest).toEqual([...rest].sort((a, b) => a - b));
        expect(rest.length).toBe(longest(numbers));
      }),
    );
  });
});

describe('cost', () => {
  const sentence = (seed: number) =>
    Array.from({ length: 40 }, (_word, at) => `word${((seed * 31 + at * 17) % 997).toString(36)}`).join(' ');

  test('1,000 blocks, a tenth of them changed, take as long as a hundred times ten', async () => {
    const pair = (length: number) => {
      const before = Array.from({ length }, (_block, at) => block(String(at), sentence(at)));
      const after = before.map((one, at) =>
        at % 10 === 0 ? block(one.key, `${sentence(at).replace(' ', ' new ')} end`) : block(one.key, sentence(at)),
      );
      return () => comparePages(before, after);
    };
    const changes = pair(1000)();
    expect(changes.blocks).toHaveLength(100);
    expect(changes.insertedWords).toBe(200);
    const times = await timesAsLong(pair(1000), repeatedly(100, pair(10)));
    expect(times).toBeLessThan(20);
  });

  test('a paragraph of a million characters, all others, takes as long as a hundred of 10,000', async () => {
    const pair = (length: number) => {
      const [before, after] = ['ab', 'cd'].map((characters) => [block('a', characters.repeat(length / 2))]);
      return () => comparePages(before ?? [], after ?? []);
    };
    expect(pair(1_000_000)().blocks[0]?.text?.inserted).toEqual([{ from: 0, to: 1_000_000 }]);
    expect(await timesAsLong(pair(1_000_000), repeatedly(100, pair(10_000)))).toBeLessThan(20);
  });

  test('text that only came leaves the budget to words that changed', () => {
    const added = Array.from({ length: 40 }, (_block, at) => block(`new${at}`, 'one'));
    const after = [...added, block('a', 'low at night')];
    const { blocks } = comparePages([block('a', 'high at noon')], after, new WorkBudget(1_000));
    expect(blocks).toHaveLength(41);
    expect(blocks.at(-1)?.text?.removed.map(({ text }) => text)).toEqual(['high', 'noon']);
  });

  test('5,000 blocks that all changed, with and without their ids, take at most twenty times as long as 500', async () => {
    const page = (length: number, name: string, seed: number) =>
      Array.from({ length }, (_block, at) => ({ ...block(`${name}${at}`, sentence(at + seed)), id: null }));
    const pair = (length: number, name: string, seed: number) => {
      const [before, after] = [page(length, 'a', 0), page(length, name, seed)];
      return () => comparePages(before, after);
    };
    const kept = pair(5000, 'a', 500_003);
    expect(kept().blocks).toHaveLength(5000);
    const other = pair(5000, 'b', 123);
    const { blocks, removed } = other();
    expect(blocks.length + removed.length).toBeGreaterThan(0);
    const times = [
      await timesAsLong(kept, pair(500, 'a', 500_003), 1),
      await timesAsLong(other, pair(500, 'b', 123), 1),
    ];
    expect(Math.max(...times)).toBeLessThan(20);
  });
});

test('an old text of several runs is the text that is compared', () => {
  const one = block('a', [run('bold', { bold: true }), run(' and plain')]);
  expect(textOfRuns(runsOfBlock(one) ?? [])).toBe('bold and plain');
});
