// The receipt: where this page's edits are, or on a screen without a page those of the whole device. It is always in the same
// place in the top bar. Pressing it opens the details.
import { type ComponentProps, createContext, useContext, useEffect, useRef, useState } from 'react';
import type { LiveDiagnostics } from 'weft-sync/session/views.ts';
import { assert } from '../../lib/assert.ts';
import type { ReceiptView } from '../../state/person/device-receipt.ts';
import { useSettled, useNow, useOverdue } from '../../ui/browser/use-time.ts';
import { Popover } from '../../ui/floating/popover.tsx';
import { ReceiptMark } from '../../ui/mark/receipt-mark.tsx';
import { ReceiptDetails } from './receipt-details.tsx';
import { type ReceiptText, receiptText } from './receipt-text.ts';
import './receipts.css';

type ReceiptButtonProps = {
  readonly view: ReceiptView;
  /** Read while the details are open. Null on screens without a page. */
  readonly readLive: (() => LiveDiagnostics | null) | null;
  readonly onRetry: () => void;
  /** Null on screens without a page. */
  readonly onDownload: (() => void) | null;
};

/** When edits have waited this long, the details open by themselves, once per outage. */
const OPENS_BY_ITSELF_AFTER_MS = 30_000;
const MOVES_AFTER_MS = 500;
/** Longer than the pause between two keys of fast typing. */
const KEEP_SENDING_MS = 250;
/** The live region announces a state only after it has lasted this long. */
const ANNOUNCED_AFTER_MS = 1_000;

/**
 * The view changes with every key and every answer of the server. The popover reads it through this context, so that it
 * does not render each time: that took a fifth of a key's time.
 */
const ViewContext = createContext<{ readonly view: ReceiptView; readonly text: ReceiptText } | null>(null);

function useReceipt() {
  const receipt = useContext(ViewContext);
  assert(receipt !== null, 'used outside of a receipt');
  return receipt;
}

export function ReceiptButton({ view, readLive, onRetry, onDownload }: ReceiptButtonProps) {
  const isWaiting = view.unsent.edits > 0;
  const now = useNow(isWaiting ? 1_000 : null);
  const text = receiptText(useSteadyView(view), now);
  const [isOpen, setOpen] = useState(false);
  useOpenOnOutage(view, now, () => setOpen(true));
  return (
    <ViewContext value={{ view, text }}>
      <DetailsPopover {...{ isOpen, setOpen, readLive, onRetry, onDownload }} />
      <Announcer />
    </ViewContext>
  );
}

/** Keeps showing "Sending" for a moment after "Saved", so that the receipt does not flicker between the keys of a word. */
function useSteadyView(view: ReceiptView): ReceiptView {
  const isSending = view.receipt === 'sending';
  const wasSending = useSettled(isSending, isSending ? 0 : KEEP_SENDING_MS);
  return wasSending && view.receipt === 'saved' ? { ...view, receipt: 'sending' } : view;
}

type DetailsPopoverProps = Omit<ReceiptButtonProps, 'view'> & {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
};

function DetailsPopover({ isOpen, setOpen, readLive, onRetry, onDownload }: DetailsPopoverProps) {
  return (
    <Popover
      label="Where your edits are"
      className="receipt-details"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Indicator />}
    >
      <CurrentDetails {...{ readLive, onRetry, onDownload }} />
    </Popover>
  );
}

const CurrentDetails = (actions: Pick<ReceiptButtonProps, 'readLive' | 'onRetry' | 'onDownload'>) => (
  <ReceiptDetails view={useReceipt().view} {...actions} />
);

/** The popover's trigger: Base UI passes the props that open the popover. */
function Indicator(trigger: ComponentProps<'button'>) {
  const { view, text } = useReceipt();
  const isSlow = useOverdue(view.unsent.oldestAt, MOVES_AFTER_MS) && text.mark === 'sending';
  return (
    <button {...trigger} type="button" className="receipt tabular" data-receipt={view.receipt} data-mark={text.mark}>
      <ReceiptMark state={text.mark} isMoving={isSlow} />
      <span>{text.label}</span>
      {(text.count !== null || text.age !== null) && (
        <span className={text.count === null ? 'more age' : 'more'}>
          {text.count}
          {text.age !== null && <span className="age">{text.count === null ? text.age : `, ${text.age}`}</span>}
        </span>
      )}
    </button>
  );
}

/** Announces the state, but never "Sending": screen readers would say that at every pause of typing. */
function Announcer() {
  const { view, text } = useReceipt();
  const announcement =
    (text.mark === 'sending' && !view.isRestoring) || text.mark === 'late' ? null : announcementOf(text);
  const settled = useSettled(announcement, ANNOUNCED_AFTER_MS);
  return (
    <span className="sr-only" role="status">
      {settled}
    </span>
  );
}

const announcementOf = ({ mark, label, count }: ReceiptText): string =>
  mark === 'device' || mark === 'tab' || mark === 'refused' ? `${label}, ${count ?? ''}` : label;

/**
 * Does not open while what was lost is put back: its edits are as old as the page, and no one has to do anything. Nor while the
 * focus is in a field, a menu or a dialog: it would take a click or a key from the person.
 */
function useOpenOnOutage(view: ReceiptView, now: number, open: () => void): void {
  const wasOpened = useRef(false);
  const isOut =
    !view.isRestoring && (view.receipt === 'device' || view.receipt === 'tab' || view.receipt === 'sending');
  const since = view.unsent.oldestAt;
  const isDue = isOut && since !== null && now - since >= OPENS_BY_ITSELF_AFTER_MS;
  useEffect(() => {
    if (view.receipt === 'saved') wasOpened.current = false;
    if (!isDue || wasOpened.current || isUserBusy()) return;
    wasOpened.current = true;
    open();
  });
}

function isUserBusy(): boolean {
  const at = document.activeElement;
  return (
    at !== null &&
    at.matches('input, textarea, [contenteditable="true"], [role="menu"], [role="menu"] *, [role="dialog"] *')
  );
}
