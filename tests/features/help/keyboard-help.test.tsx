import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SHORTCUTS } from '../../../src/editor/shortcuts.ts';
import { KeyboardHelp } from '../../../src/features/help/keyboard-help.tsx';
import { RECEIPT_LEGEND } from '../../../src/shell/receipts/receipt-legend.ts';
import { keyCapsOf } from '../../../src/ui/controls/key-caps.tsx';

afterEach(cleanup);

const open = () =>
  render(<KeyboardHelp open onOpenChange={vi.fn<(open: boolean) => void>()} legend={RECEIPT_LEGEND} />);

test('the help lists every shortcut and the eight marks with their texts', () => {
  open();
  const sheet = screen.getByRole('dialog', { name: 'Keys and marks' });
  const terms = Array.from(sheet.querySelectorAll('dt'), (term) => term.textContent);
  for (const { shortcuts } of SHORTCUTS) for (const { description } of shortcuts) expect(terms).toContain(description);
  const marks = Array.from(sheet.querySelectorAll('[data-mark] > svg'), (mark) => mark.getAttribute('data-mark'));
  expect(new Set(marks).size).toBe(8);
  expect(within(sheet).getByText('On this device · 12 edits')).toBeDefined();
});

test('the search matches descriptions, keys and group titles, and says when nothing matches', () => {
  open();
  const field = screen.getByRole('searchbox', { name: 'Find a key' });
  const shown = (query: string) => {
    fireEvent.change(field, { target: { value: query } });
    return Array.from(document.querySelectorAll('dt'), (term) => term.textContent);
  };
  expect(shown('italic')).toEqual(['Italic', 'Italic']);
  expect(shown('esc')).toContain('Close');
  expect(shown('tables')).toContain('Next cell');
  expect(shown('no such thing')).toEqual([]);
  expect(screen.getByRole('status').textContent).toBe('No matches for “no such thing”.');
});

test.each([
  ['Mod-Shift-x', false, ['Ctrl', 'Shift', 'X']],
  ['Mod-Shift-x', true, ['⌘', '⇧', 'X']],
  ['Alt-Shift-ArrowUp', false, ['Alt', 'Shift', '↑']],
  ['-', false, ['-']],
  ['Mod--', true, ['⌘', '-']],
  ['?', false, ['?']],
])('the keys %s (on a Mac: %s) are shown as %j', (keys, mac, caps) => expect(keyCapsOf(keys, mac)).toEqual(caps));
