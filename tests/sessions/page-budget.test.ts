// One project's messages divided among its busy pages.
import { expect, test } from 'vitest';
import { pageBudget } from '../../src/sessions/page-budget.ts';

test.each([
  [0, 50],
  [1, 50],
  [2, 40],
  [5, 16],
  [100, 0.8],
])('%i busy pages of a project with 100 messages per second cause %d each', (busyPages, each) => {
  expect(pageBudget(100)(busyPages)).toBeCloseTo(each);
});
