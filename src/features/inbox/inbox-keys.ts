// The keys of the inbox: J and K or the arrows move, Enter opens, E marks as read or unread, Shift E marks all as read.
import type { KeyboardEvent } from 'react';
import type { Notification } from '../../protocol/home-answers.ts';
import type { NotificationId } from '../../protocol/ids.ts';

export function inboxKey(
  event: KeyboardEvent<HTMLElement>,
  notifications: readonly Notification[],
  mark: (ids: readonly NotificationId[] | null, isRead: boolean) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
  // React passes on the keys of a menu that is open, too.
  if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
  if (event.target.closest('header') !== null) return;
  const rows = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('.notification'));
  const row = event.target.closest<HTMLElement>('.notification');
  const at = row === null ? -1 : rows.indexOf(row);
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === 'j' || key === 'ArrowDown') rows[Math.min(at + 1, rows.length - 1)]?.focus();
  else if (key === 'k' || key === 'ArrowUp') rows[Math.max(at - 1, 0)]?.focus();
  else if (key === 'e' && event.shiftKey) mark(null, true);
  else if (key === 'e') {
    const chosen = notifications.find(({ id }) => id === row?.dataset['id']);
    if (chosen === undefined) return;
    mark([chosen.id], chosen.readAt === null);
  } else if (key === 'Enter' && event.target === row) row?.querySelector('a')?.click();
  else return;
  event.preventDefault();
}
