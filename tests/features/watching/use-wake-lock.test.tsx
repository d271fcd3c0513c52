// The lock that keeps the screen on.
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useWakeLock } from '../../../src/features/watching/wall/use-wake-lock.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const settled = () => new Promise((done) => setTimeout(done));

test('one lock is held at most, and none after the end', async () => {
  const held = new Set<EventTarget>();
  let requests = 0;
  const request = async () => {
    requests += 1;
    const lock = Object.assign(new EventTarget(), {
      async release() {
        held.delete(lock);
        lock.dispatchEvent(new Event('release'));
      },
    });
    held.add(lock);
    return lock;
  };
  vi.stubGlobal('navigator', { wakeLock: { request } });
  const { unmount } = renderHook(() => useWakeLock());
  document.dispatchEvent(new Event('visibilitychange'));
  await settled();
  expect([requests, held.size]).toEqual([2, 1]);
  const [lock] = held;
  held.clear();
  lock?.dispatchEvent(new Event('release'));
  await settled();
  expect([requests, held.size], 'taken away by the browser').toEqual([3, 1]);
  unmount();
  await settled();
  expect([requests, held.size]).toEqual([3, 0]);
});
