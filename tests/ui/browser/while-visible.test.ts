import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onTick, whileVisible } from '../../../src/ui/browser/while-visible.ts';

let isHidden = false;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_500 });
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => isHidden);
});
afterEach(() => {
  show();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function hide(): void {
  isHidden = true;
  document.dispatchEvent(new Event('visibilitychange'));
}
function show(): void {
  isHidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
}

test('work stops while the page is hidden, begins again when it is back, and ends', () => {
  const events: string[] = [];
  const cancel = whileVisible(() => {
    events.push('start');
    return () => events.push('stop');
  });
  hide();
  show();
  cancel();
  hide();
  show();
  expect(events).toEqual(['start', 'stop', 'start', 'stop']);
});

test('clocks tick together at whole times, with one timer, and with none while the page is hidden', () => {
  const ticks: number[] = [];
  const cancels = [1, 2].map(() => onTick(1_000, () => ticks.push(Date.now())));
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(2_000);
  expect(ticks).toEqual([1_001_000, 1_001_000, 1_002_000, 1_002_000]);
  hide();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(5_000);
  show();
  expect(ticks.slice(4)).toEqual([1_007_500, 1_007_500]);
  for (const cancel of cancels) cancel();
  expect(vi.getTimerCount()).toBe(0);
});
