// What layers do before Base UI is loaded: each test begins without it.
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => vi.resetModules());
afterEach(cleanup);

test('the first click loads a menu and opens it; then the button has the focus again', async () => {
  const { Menu, MenuItem } = await import('../../../src/ui/floating/menu.tsx');
  const onOpenChange = vi.fn<(open: boolean) => void>();
  render(
    <Menu trigger={<button type="button">More</button>} onOpenChange={onOpenChange}>
      <MenuItem>Move</MenuItem>
    </Menu>,
  );
  const button = screen.getByRole('button', { name: 'More' });
  expect([button.getAttribute('aria-haspopup'), button.getAttribute('aria-expanded')]).toEqual(['menu', 'false']);
  button.focus();
  fireEvent.click(button);
  const item = await screen.findByRole('menuitem', { name: 'Move' });
  fireEvent.keyDown(item, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('More'));
  expect(onOpenChange.mock.calls).toEqual([[true], [false]]);
});

test('the code does not replace a button by itself', async () => {
  const { Menu } = await import('../../../src/ui/floating/menu.tsx');
  const { loadBaseUi } = await import('../../../src/ui/floating/late-base-ui.tsx');
  render(<Menu trigger={<button type="button">More</button>}>{null}</Menu>);
  const button = screen.getByRole('button', { name: 'More' });
  button.focus();
  await loadBaseUi();
  expect(document.activeElement).toBe(button);
});

test('a popover that its parent opens is loaded, and so is an open dialog', async () => {
  const { Popover } = await import('../../../src/ui/floating/popover.tsx');
  const { Dialog } = await import('../../../src/ui/floating/dialog.tsx');
  const { rerender } = render(
    <Popover label="Account" open={false} onOpenChange={() => undefined} trigger={<button type="button">Ada</button>}>
      Profile
    </Popover>,
  );
  expect(screen.queryByText('Profile')).toBeNull();
  rerender(
    <Popover label="Account" open onOpenChange={() => undefined} trigger={<button type="button">Ada</button>}>
      Profile
    </Popover>,
  );
  expect(await screen.findByText('Profile')).toBeDefined();
  rerender(
    <Dialog title="Leave?" open onOpenChange={() => undefined}>
      Really
    </Dialog>,
  );
  expect(await screen.findByRole('dialog', { name: 'Leave?' })).toBeDefined();
});

test('a message waits for the code that shows it', async () => {
  const { Toasts, toast } = await import('../../../src/ui/floating/toast.tsx');
  render(<Toasts />);
  toast('The page was moved.');
  expect((await screen.findAllByText('The page was moved.')).length).toBeGreaterThan(0);
});
