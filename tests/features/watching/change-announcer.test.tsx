// What a screen reader says about a watched page.
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textBlock } from 'weft-document/blocks/detached-block.ts';
import { MIN_INTERVAL_MS } from '../../../src/editor/announcements/announcer.ts';
import { ChangeAnnouncer } from '../../../src/features/watching/change-announcer.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('the same sentence again is announced again: the live region changes each time', () => {
  const blocks = [{ ...textBlock({}, []), key: '1.0', id: 'a' }];
  const { rerender } = render(<ChangeAnnouncer fresh={[]} blocks={blocks} />);
  const log = screen.getByRole('log');
  const changes = new MutationObserver(() => undefined);
  changes.observe(log, { childList: true, characterData: true, subtree: true });
  const announceAgain = () => {
    rerender(<ChangeAnnouncer fresh={[{ key: '1.0', from: 0, to: 1 }]} blocks={blocks} />);
    act(() => void vi.advanceTimersByTime(MIN_INTERVAL_MS));
    return { text: log.textContent, hasChanged: changes.takeRecords().length > 0 };
  };
  const announced = { text: 'The writers changed the page.', hasChanged: true };
  expect([announceAgain(), announceAgain()]).toEqual([announced, announced]);
});
