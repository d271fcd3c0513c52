// The eight marks of the receipt with their words, as the receipt itself would say them, and what each means.
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
});

const row = (shown: ReceiptView, meaning: string): LegendRow => {
  const { mark, label, count, age } = receiptText(shown, NOW);
  return { mark, label: [label, count ?? age].filter((part) => part !== null).join(' · '), meaning };
};

export const RECEIPT_LEGEND: readonly LegendRow[] = [
  row(view('opening'), 'The page is on its way to you'),
  row(view('saved'), 'Everything is on the server'),
  row(view('sending', 1), 'The last words are on their way'),
  row(view('sending', 1, 8_000), 'The same, for longer than usual'),
  row(view('device', 12, 8_000), 'Kept here, sent when the server answers'),
  row(view('tab', 3), 'Kept by nothing but this tab: leave it open'),
  row(view('refused', 1), 'The server took it not: somebody has to decide'),
  row(view('readonly'), 'You may read here, not write'),
];
