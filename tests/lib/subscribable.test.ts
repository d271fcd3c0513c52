import { expect, test } from 'vitest';
import { Subscribable } from '../../src/lib/subscribable.ts';

test('every subscriber is called until it cancels', () => {
  const changes = new Subscribable();
  const calls: string[] = [];
  const cancelA = changes.subscribe(() => calls.push('a'));
  changes.subscribe(() => calls.push('b'));
  changes.notify();
  cancelA();
  cancelA();
  changes.notify();
  expect(calls).toEqual(['a', 'b', 'b']);
  changes.clear();
  expect(changes.size).toBe(0);
});

test('the same function twice is two subscriptions', () => {
  const changes = new Subscribable();
  let calls = 0;
  const run = () => void calls++;
  const cancel = changes.subscribe(run);
  changes.subscribe(run);
  cancel();
  changes.notify();
  expect(calls).toBe(1);
});

test('a listener that an earlier one cancelled is not called any more', () => {
  const changes = new Subscribable();
  const calls: string[] = [];
  changes.subscribe(() => cancel());
  const cancel = changes.subscribe(() => calls.push('late'));
  changes.notify();
  expect(calls).toEqual([]);
});
