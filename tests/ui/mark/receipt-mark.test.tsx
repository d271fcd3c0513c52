import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { type MarkState, ReceiptMark } from '../../../src/ui/mark/receipt-mark.tsx';

afterEach(cleanup);

const STATES: readonly MarkState[] = ['opening', 'saved', 'sending', 'late', 'device', 'tab', 'refused', 'readonly'];

test('each state has a drawing of its own, except that “late” is “sending” in another color', () => {
  const drawings = STATES.map(
    (state) => render(<ReceiptMark state={state} />).container.querySelector('svg')?.innerHTML,
  );
  expect(new Set(drawings).size).toBe(STATES.length - 1);
});
