import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MovedThreads } from '../../../src/editor/comments/moved-threads.ts';
import type { Anchor } from '../../../src/protocol/comments.ts';
import { newThreadId } from '../../../src/protocol/new-ids.ts';

const KNOWN: Anchor = { kind: 'block', block: 'old', quote: 'tide' };
const MOVED: Anchor = { kind: 'block', block: 'new', quote: 'tide' };
const id = newThreadId();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const moved = new MovedThreads();
  const reported: (readonly [string, Anchor, Anchor])[] = [];
  moved.onMoved((thread, anchor, known) => reported.push([thread, anchor, known]));
  return { moved, reported };
}

test('the tab that moved the words reports it after the edit, not in the middle of it', () => {
  const { moved, reported } = watched();
  moved.add({ id, anchor: MOVED, known: KNOWN, isOwn: true });
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reported).toEqual([[id, MOVED, KNOWN]]);
});

test('another tab waits, and reports nothing once the server has an anchor of that thread', () => {
  const { moved, reported } = watched();
  moved.add({ id, anchor: MOVED, known: KNOWN, isOwn: false });
  vi.advanceTimersByTime(19_000);
  moved.settle([{ id, anchor: { ...KNOWN } }]);
  moved.settle([{ id, anchor: MOVED }]);
  vi.advanceTimersByTime(100_000);
  expect(reported).toEqual([]);
});

test('another tab reports it if no one else did within 80 seconds', () => {
  const { moved, reported } = watched();
  moved.add({ id, anchor: MOVED, known: KNOWN, isOwn: false });
  moved.settle([{ id, anchor: KNOWN }]);
  vi.advanceTimersByTime(80_001);
  expect(reported).toEqual([[id, MOVED, KNOWN]]);
});

test('words that move again are reported where they are now; a thread that is gone is not', () => {
  const { moved, reported } = watched();
  moved.add({ id, anchor: KNOWN, known: KNOWN, isOwn: true });
  moved.add({ id, anchor: MOVED, known: KNOWN, isOwn: true });
  vi.advanceTimersByTime(1);
  expect(reported).toEqual([[id, MOVED, KNOWN]]);
  moved.add({ id, anchor: MOVED, known: KNOWN, isOwn: true });
  moved.settle([]);
  vi.advanceTimersByTime(100_000);
  expect(reported.length).toBe(1);
});
