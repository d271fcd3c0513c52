import { expect, test } from 'vitest';
import { isEditing, spansOf, spansText } from '../../../src/features/workspace/hour-chart.ts';

const now = new Date(2026, 5, 14, 14).getTime();
const minutes = (...edited: number[]) => Array.from({ length: 60 }, (_, at) => (edited.includes(at) ? 1 : 0));

test('edits with short pauses are one span, and a longer pause ends it', () => {
  const spans = spansOf(minutes(0, 3, 10, 59), now, now);
  expect(spans).toEqual([
    { from: 0, to: 4 },
    { from: 10, to: 11 },
    { from: 59, to: 60 },
  ]);
  expect(isEditing(spans)).toBe(true);
  expect(spansText(spans, now)).toBe('from 13:00 to 13:04, from 13:10 to 13:11, and from 13:59 on');
});

test('an old answer moves to the left, and what is older than an hour leaves', () => {
  const spans = spansOf(minutes(5, 59), now - 10 * 60_000, now);
  expect(spans).toEqual([{ from: 49, to: 50 }]);
  expect(isEditing(spans)).toBe(false);
  expect(spansOf([], now, now)).toEqual([]);
});
