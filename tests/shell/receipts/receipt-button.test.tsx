import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Receipt, SessionView } from 'weft-sync/session/views.ts';
import { ReceiptButton } from '../../../src/shell/receipts/receipt-button.tsx';
import { OPENING } from '../../../src/state/page/session-of-page.ts';
import { Menu, MenuItem } from '../../../src/ui/floating/menu.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const view = (change: Partial<SessionView>): SessionView => ({ ...OPENING, phase: 'ready', ...change });
const button = (change: Partial<SessionView>, more: Partial<Parameters<typeof ReceiptButton>[0]> = {}) => (
  <ReceiptButton view={view(change)} readLive={null} onRetry={() => undefined} onDownload={null} {...more} />
);
const indicator = () => document.querySelector('[data-receipt]');

test.each<Receipt>(['opening', 'saved', 'sending', 'device', 'tab', 'refused', 'readonly'])(
  'the receipt is one button with data-receipt="%s"',
  (receipt) => {
    render(button({ receipt, unsent: { edits: 2, oldestAt: Date.now() } }));
    expect(document.querySelectorAll('[data-receipt]')).toHaveLength(1);
    expect(indicator()?.tagName).toBe('BUTTON');
    expect(indicator()?.getAttribute('data-receipt')).toBe(receipt);
  },
);

test('the button shows a new state in the same render as the view, so “saved” is never out of date', () => {
  const { rerender } = render(button({ receipt: 'saved' }));
  rerender(button({ receipt: 'sending', unsent: { edits: 1, oldestAt: Date.now() } }));
  expect(indicator()?.getAttribute('data-receipt')).toBe('sending');
});

test('the text does not flicker between two keys: “Sending” may stay too long, “Saved” never does', () => {
  const mark = () => `${indicator()?.getAttribute('data-receipt')}: ${indicator()?.textContent}`;
  const { rerender } = render(button({ receipt: 'saved' }));
  const sending = { receipt: 'sending', unsent: { edits: 1, oldestAt: Date.now() } } as const;
  for (let key = 0; key < 3; key++) {
    rerender(button(sending));
    expect(mark()).toBe('sending: Sending');
    act(() => void vi.advanceTimersByTime(60));
    rerender(button({ receipt: 'saved' }));
    act(() => void vi.advanceTimersByTime(60));
    expect(mark()).toBe('saved: Sending');
  }
  act(() => void vi.advanceTimersByTime(300));
  expect(mark()).toBe('saved: Saved');
  rerender(button({ receipt: 'device', unsent: { edits: 1, oldestAt: Date.now() } }));
  rerender(button({ receipt: 'saved' }));
  expect(mark()).toBe('saved: Saved');
});

test('the age goes up while an edit waits', () => {
  // It is shown by whole seconds of the clock, up to one behind.
  vi.setSystemTime(1_000_000);
  render(button({ receipt: 'sending', unsent: { edits: 1, oldestAt: Date.now() } }));
  expect(indicator()?.textContent).toBe('Sending');
  act(() => void vi.advanceTimersByTime(8_000));
  expect(indicator()?.textContent).toContain('8 s');
});

test('the live region announces a state that has lasted for a second, and never “sending”', () => {
  const announcement = () => screen.getByRole('status').textContent;
  const { rerender } = render(button({ receipt: 'saved' }));
  rerender(button({ receipt: 'device', unsent: { edits: 2, oldestAt: Date.now() } }));
  act(() => void vi.advanceTimersByTime(900));
  expect(announcement()).toBe('Saved');
  act(() => void vi.advanceTimersByTime(200));
  expect(announcement()).toBe('On this device, 2 edits');
  rerender(button({ receipt: 'sending', unsent: { edits: 2, oldestAt: Date.now() } }));
  act(() => void vi.advanceTimersByTime(3_000));
  expect(announcement()).toBe('');
});

test('pressing it opens the details, with buttons to try again and to download a copy', () => {
  const onRetry = vi.fn<() => void>();
  const onDownload = vi.fn<() => void>();
  render(button({ receipt: 'device', unsent: { edits: 1, oldestAt: Date.now() } }, { onRetry, onDownload }));
  const trigger = indicator();
  if (trigger === null) throw new Error('no receipt');
  fireEvent.click(trigger);
  fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
  fireEvent.click(screen.getByRole('button', { name: 'Download a copy' }));
  expect(onRetry).toHaveBeenCalledOnce();
  expect(onDownload).toHaveBeenCalledOnce();
});

test('what a restored server lost opens no details by itself, however old it is, and is announced', () => {
  const unsent = { edits: 1, oldestAt: Date.now() - 3_600_000 };
  const { rerender } = render(
    button({ receipt: 'sending', isRestoring: true, puttingBack: { after: 'restore' }, unsent }),
  );
  act(() => void vi.advanceTimersByTime(1_100));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(indicator()?.textContent).toBe('Putting edits back');
  expect(screen.getByRole('status').textContent).toBe('Putting edits back');
  rerender(button({ receipt: 'saved' }));
  act(() => void vi.advanceTimersByTime(300));
  act(() => void vi.advanceTimersByTime(1_100));
  expect(screen.getByRole('status').textContent).toBe('Saved');
});

test('after 30 s without the server the details open by themselves, but not while someone types', () => {
  const waiting = { receipt: 'device', unsent: { edits: 1, oldestAt: Date.now() } } as const;
  const { unmount } = render(button(waiting));
  act(() => void vi.advanceTimersByTime(29_000));
  expect(screen.queryByRole('dialog')).toBeNull();
  act(() => void vi.advanceTimersByTime(2_000));
  expect(screen.queryByRole('dialog')).not.toBeNull();
  unmount();

  render(
    <>
      <textarea aria-label="text" />
      {button({ ...waiting, unsent: { edits: 1, oldestAt: Date.now() } })}
    </>,
  );
  screen.getByLabelText('text').focus();
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('nor do they open while an item of a menu has the focus', async () => {
  render(
    <>
      <Menu trigger={<button type="button">More</button>}>
        <MenuItem onSelect={() => undefined}>Move to…</MenuItem>
      </Menu>
      {button({ receipt: 'device', unsent: { edits: 1, oldestAt: Date.now() } })}
    </>,
  );
  fireEvent.click(screen.getByText('More'));
  await act(async () => void vi.advanceTimersByTime(1_000));
  const item = screen.getByRole('menuitem');
  act(() => item.focus());
  expect(document.activeElement).toBe(item);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.queryByRole('dialog')).toBeNull();
});
