import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useOverdue } from '../../../src/ui/browser/use-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an edit is overdue once it has waited, however late its row is shown', () => {
  const written = Date.now();
  const row = (oldestAt: number | null) =>
    renderHook(({ at }: { at: number | null }) => useOverdue(at, 1_000), { initialProps: { at: oldestAt } });
  const early = row(written);
  expect(early.result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(400));
  const late = row(written);
  expect(late.result.current).toBe(false);
  act(() => void vi.advanceTimersByTime(599));
  expect([early, late].map(({ result }) => result.current)).toEqual([false, false]);
  act(() => void vi.advanceTimersByTime(1));
  expect([early, late, row(written), row(null)].map(({ result }) => result.current)).toEqual([true, true, true, false]);
  late.rerender({ at: Date.now() });
  expect(late.result.current).toBe(false);
  late.rerender({ at: null });
  expect(late.result.current).toBe(false);
});

test('a clock that was set back does not make it wait for longer', () => {
  const later = Date.now() + 3_600_000;
  const { result } = renderHook(() => useOverdue(later, 1_000));
  act(() => void vi.advanceTimersByTime(1_000));
  expect(result.current).toBe(true);
});
