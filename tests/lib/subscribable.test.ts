import { expect, test } from 'vitest';
import { Subscribable } from '../../src/lib/subscribable.ts';

test('every subscriber is called until it cancels', () => {
  const changes = new Subscribable();
  const told: string[] = [];
  const cancelA = changes.subscribe(() => told.push('a'));
  changes.subscribe(() => told.push('b'));
  changes.notify();
  cancelA();
  cancelA();
  changes.notify();
  expect(told).toEqual(['a', 'b', 'b']);
  changes.clear();
  expect(changes.size).toBe(0);
});

test('the same function twice is two subscriptions', () => {
  const changes = new Subscribable();
  let told = 0;
  const run = () => void told++;
  const cancel = changes.subscribe(run);
  changes.subscribe(run);
  cancel();
  changes.notify();
  expect(told).toBe(1);
});

test('a listener that an earlier one cancelled is not called any more', () => {
  const changes = new Subscribable();
  const told: string[] = [];
  changes.subscribe(() => cancel());
  const cancel = changes.subscribe(() => told.push('late'));
  changes.notify();
  expect(told).toEqual([]);
});
