import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useNow, useOverdue } from '../../../src/ui/browser/use-time.ts';

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

test('the time goes on each minute of the clock, and at once when a hidden page is back', () => {
  vi.setSystemTime(90_000);
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
  const change = (hidden: boolean) => {
    isHidden.mockReturnValue(hidden);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const { result, unmount } = renderHook(() => useNow(60_000));
  const seen = [result.current];
  const advance = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  advance(30_000);
  seen.push(result.current);
  act(() => change(true));
  advance(200_000);
  seen.push(result.current);
  act(() => change(false));
  seen.push(result.current);
  unmount();
  expect(seen).toEqual([90_000, 120_000, 120_000, 300_000]);
});
