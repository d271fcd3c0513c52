// The mark and text of a receipt. Pure; the caller passes the time.
import { counted } from '../../lib/text/counted.ts';
import { isKeptAsFile } from '../../state/page/page-view.ts';
import type { ReceiptView } from '../../state/person/device-receipt.ts';
import type { MarkState } from '../../ui/mark/receipt-mark.tsx';

export type ReceiptText = {
  readonly mark: MarkState;
  readonly label: string;
  /** Shown on phones too. */
  readonly count: string | null;
  /** How long the oldest edit has waited. Not shown on phones. */
  readonly age: string | null;
};

/** Until an edit has waited this long, the receipt shows no age and "Sending" does not count as late. */
export const LATE_AFTER_MS = 5_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function receiptText(view: ReceiptView, now: number): ReceiptText {
  const { receipt, unsent, refusedFiles, refusedComments } = view;
  // Text that is put back has the time of the page, not that of an edit that waits.
  if (view.isRestoring && receipt === 'sending') {
    return {
      mark: 'sending',
      label: view.puttingBack === null ? 'Checking' : 'Putting edits back',
      count: null,
      age: null,
    };
  }
  if (isKeptAsFile(view) && refusedFiles === undefined) {
    return { mark: 'device', label: 'Kept as a file', count: 'see why', age: null };
  }
  const age = unsent.oldestAt === null || view.isRestoring ? null : ageText(unsent.oldestAt, now);
  const edits = counted(unsent.edits, 'edit');
  switch (receipt) {
    case 'opening':
      return { mark: 'opening', label: 'Opening', count: null, age: null };
    case 'saved':
      // On a page, the banner says the rest.
      return { mark: 'saved', label: isOfflineDevice(view) ? 'Offline' : 'Saved', count: null, age: null };
    case 'sending':
      return age === null
        ? { mark: 'sending', label: 'Sending', count: null, age: null }
        : { mark: 'late', label: 'Sending', count: null, age };
    case 'device':
      return { mark: 'device', label: 'On this device', count: edits, age };
    case 'tab':
      return { mark: 'tab', label: 'Only in this tab', count: edits, age: null };
    case 'refused': {
      const comments = refusedComments === undefined ? edits : counted(refusedComments, 'comment');
      const what = refusedFiles === undefined ? comments : counted(refusedFiles, 'file');
      return { mark: 'refused', label: `${what} refused`, count: 'see why', age: null };
    }
    case 'readonly':
      return { mark: 'readonly', label: 'Read-only', count: null, age: null };
  }
}

/** Without the server the others' newest edits are not known, so “Saved” would say too much of the whole device. */
export const isOfflineDevice = ({ connection, isOfDevice }: ReceiptView): boolean =>
  isOfDevice === true && connection === 'offline';

/** Null below 5 s; then seconds, minutes, and from one hour on the time since when. */
export function ageText(at: number, now: number): string | null {
  const age = now - at;
  if (age < LATE_AFTER_MS) return null;
  if (age < MINUTE_MS) return `${Math.floor(age / 1_000)} s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  return `since ${timeOfDay(at)}`;
}

export const timeOfDay = (at: number, withSeconds = false): string =>
  new Date(at).toLocaleTimeString(undefined, {
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds ? { second: '2-digit' as const } : {}),
    hourCycle: 'h23',
  });
