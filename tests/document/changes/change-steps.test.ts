import { describe, expect, test } from 'vitest';
import { type Block, PLAIN, type Run, parseStyle } from 'weft-document/blocks/block.ts';
import { type ChangeMark, changeSteps } from 'weft-document/changes/change-steps.ts';
import { comparePages } from 'weft-document/changes/compare-pages.ts';
import { PlacedMarks } from 'weft-document/changes/placed-marks.ts';

const run = (text: string, marks: Partial<Run> = {}): Run => ({ ...PLAIN, ...marks, text });
const block = (key: string, text: string, style: Readonly<Record<string, unknown>> = {}): Block => ({
  type: 'block',
  key,
  id: `id-${key}`,
  ...parseStyle(style),
  runs: [run(text)],
});
const stepsOf = (before: readonly Block[], after: readonly Block[]) => changeSteps(comparePages(before, after), after);

describe('steps', () => {
  test('each change is a step in the order of the page, with its words', () => {
    const before = [
      block('a', 'Nobody goes in.'),
      block('b', 'Slip swept', { kind: 'task' }),
      block('c', 'First aiders at both slips; ask Ada. Tomás has the list'),
      block('d', 'Water was 12 °C.'),
      block('e', 'An old note.'),
      block('f', 'The end.'),
    ];
    const after = [
      block('a', 'Nobody goes in before the boat.'),
      block('b', 'Slip swept', { kind: 'task', checked: true }),
      block('c', 'First aiders at both slips; Tomás has the list'),
      block('d', 'Water was 13.5 °C.'),
      block('x', 'New one.'),
      block('y', 'New two.'),
      block('f', 'The end.'),
    ];
    expect(stepsOf(before, after).steps).toEqual([
      { key: 'a', says: 'Added: “before the boat”' },
      { key: 'b', says: 'Ticked: “Slip swept”' },
      { key: 'c', says: 'Removed: “ask Ada.”' },
      { key: 'd', says: 'Replaced “12” with “13.5”' },
      { key: 'x', says: 'Added: “New one.”' },
      { key: 'f', says: 'Removed 1 block: “An old note.”' },
    ]);
  });

  test('a heading that becomes a task is one change', () => {
    const [before, after] = [block('a', 'x', { kind: 'heading' }), block('a', 'x', { kind: 'task' })];
    expect(stepsOf([before], [after]).steps).toEqual([{ key: 'a', says: 'Turned into task: “x”' }]);
  });

  test('spaces alone are neither what was removed nor what was added', () => {
    const nothing = comparePages([], []);
    const changed = (text: string, inserted: { from: number; to: number }, gone: string) =>
      changeSteps(
        {
          ...nothing,
          blocks: [
            {
              key: 'a',
              before: 'a',
              isMoved: false,
              attributes: [],
              cells: [],
              removedCells: [],
              text: { inserted: [inserted], removed: [{ at: inserted.from, text: gone, words: 1 }], formatted: [] },
            },
          ],
        },
        [block('a', text)],
      );
    const added = changed('one two', { from: 4, to: 7 }, ' ');
    expect(added.steps.map((step) => step.says)).toEqual(['Added: “two”']);
    expect(added.marks.get('a')?.map(({ type }) => type)).toEqual(['text']);
    const removed = changed('one two', { from: 3, to: 4 }, 'and');
    expect(removed.steps.map((step) => step.says)).toEqual(['Removed: “and”']);
    expect(removed.marks.get('a')?.map(({ type }) => type)).toEqual(['gone']);
  });

  test('that leave nothing of the page are one step', () => {
    expect(stepsOf([block('a', 'one'), block('b', 'two')], []).steps).toEqual([
      { key: 'a', says: 'Removed 2 blocks: “one two”' },
    ]);
  });

  test('long texts are not cut within a character', () => {
    const long = `${'x'.repeat(119)}${'🚣'.repeat(10_000)}`;
    const { steps, marks } = stepsOf([block('a', 'one'), block('b', long)], [block('a', 'one')]);
    expect(steps[0]?.says.isWellFormed()).toBe(true);
    const [mark] = marks.get('a') ?? [];
    expect(mark?.type === 'goneBlocks' && mark.text.isWellFormed()).toBe(true);
  });

  test('above 500 changes the rest is not marked', () => {
    const before = Array.from({ length: 600 }, (_block, at) => block(String(at), 'one'));
    const after = before.map(({ key }) => block(key, 'two'));
    const { steps, isCut, marks } = stepsOf(before, after);
    expect([steps.length, isCut, marks.size]).toEqual([500, true, 500]);
  });
});

describe('marks while the page goes on changing', () => {
  const before = [block('a', 'Wave 3 waits.'), block('b', 'Two.')];
  const after = [block('a', 'Wave 3 waits for the ferry.'), block('b', 'Two.')];
  const marked = (placed: PlacedMarks, text: string) =>
    (placed.on([block('a', text), block('b', 'Two.')]).get('a') ?? []).flatMap((mark: ChangeMark) =>
      mark.type === 'text' ? [text.slice(mark.from, mark.to)] : [],
    );
  const place = () => new PlacedMarks(stepsOf(before, after));

  test('move with their words, and what is written beside them is not marked', () => {
    const placed = place();
    expect(marked(placed, 'Wave 3 waits for the ferry.')).toEqual(['for the ferry']);
    expect(marked(placed, 'So: Wave 3 waits for the ferry.')).toEqual(['for the ferry']);
    expect(marked(placed, 'So: Wave 3 waits for the ferry. And more.')).toEqual(['for the ferry']);
    expect(marked(placed, 'So: Wave 3 waits for me or the ferry. And more.')).toEqual(['for me or the ferry']);
  });

  test('disappear with their words or their block', () => {
    const placed = place();
    expect(marked(placed, 'Wave 3 waits for.')).toEqual(['for']);
    expect(marked(placed, 'Wave 3 waits.')).toEqual([]);
    expect(placed.on([block('b', 'Two.')]).size).toBe(0);
  });

  test('are the same object as long as nothing changes', () => {
    const placed = place();
    const first = placed.on(after);
    expect(placed.on(after)).toBe(first);
    expect(placed.on([...after, block('c', 'Three.')])).toBe(first);
  });
});
