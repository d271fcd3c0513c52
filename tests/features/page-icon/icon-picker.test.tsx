import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { IconPicker } from '../../../src/features/page-icon/icon-picker.tsx';

afterEach(cleanup);

function openPicker(icon: string | null) {
  const onChoose = vi.fn<(icon: string | null) => void>();
  const onClose = vi.fn<() => void>();
  render(<IconPicker title="Plan" icon={icon} onChoose={onChoose} onClose={onClose} />);
  const field = screen.getByRole('combobox', { name: 'Search icons' });
  const press = (key: string) => fireEvent.keyDown(field, { key });
  const chosen = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label');
  return { onChoose, onClose, field, press, chosen };
}

test('an icon is found by a word and chosen with Enter', () => {
  const { field, press, onChoose, onClose } = openPicker(null);
  fireEvent.change(field, { target: { value: 'anch' } });
  expect(screen.getByRole('status').textContent).toBe('1 icon');
  press('Enter');
  expect([onChoose.mock.calls, onClose.mock.calls.length]).toEqual([[['anchor']], 1]);
});

test('the arrow keys start at the icon that the page has, and move by rows', () => {
  const { press, chosen, onChoose } = openPicker('book');
  expect(chosen()).toBe('book');
  press('ArrowLeft');
  expect(chosen()).toBe('book open');
  press('ArrowDown');
  press('ArrowUp');
  press('Enter');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('book-open');
});

test('an icon is removed; a page without one is not offered that', () => {
  const { onChoose } = openPicker('book');
  fireEvent.click(screen.getByRole('button', { name: 'Remove icon' }));
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(null);
  cleanup();
  openPicker(null);
  expect(screen.queryByRole('button', { name: 'Remove icon' })).toBeNull();
});

test('says when nothing matches', () => {
  const { field, press, onChoose } = openPicker(null);
  fireEvent.change(field, { target: { value: 'qqq' } });
  expect(screen.getByRole('status').textContent).toBe('No matches');
  press('Enter');
  expect(onChoose).not.toHaveBeenCalled();
});
