// The eight marks of the receipt for the help: each with the text the receipt shows, and what it means.
import type { ReceiptView } from '../../state/person/device-receipt.ts';
import type { MarkState } from '../../ui/mark/receipt-mark.tsx';
import { receiptText } from './receipt-text.ts';

export type LegendRow = { readonly mark: MarkState; readonly label: string; readonly meaning: string };

const NOW = 60_000;
const view = (receipt: ReceiptView['receipt'], edits = 0, waitsMs = 0): ReceiptView => ({
  receipt,
  unsent: { edits, oldestAt: edits === 0 ? null : NOW - waitsMs },
  lastSaved: null,
  lastN: 0,
  upToDate: true,
  connection: 'live',
  retryAt: null,
  error: null,
  isRestoring: false,
  puttingBack: null,
});

const row = (shown: ReceiptView, meaning: string): LegendRow => {
  const { mark, label, count, age } = receiptText(shown, NOW);
  return { mark, label: [label, count ?? age].filter((part) => part !== null).join(' · '), meaning };
};

export const RECEIPT_LEGEND: readonly LegendRow[] = [
  row(view('opening'), 'The page is loading'),
  row(view('saved'), 'Everything is on the server'),
  row(view('sending', 1), 'Your latest edits are being sent'),
  row(view('sending', 1, 8_000), 'Sending takes longer than usual'),
  row(view('device', 12, 8_000), 'Saved on this device, sent when the server answers'),
  row(view('tab', 3), 'Only in this tab. Don’t close it'),
  row(view('refused', 1), 'The server rejected it. You decide what happens next'),
  row(view('readonly'), 'You can view this page, not edit it'),
];
