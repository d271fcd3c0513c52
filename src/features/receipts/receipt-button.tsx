// The receipt: where this page's edits are, always in the same place. Pressing it opens the slip.
import { type ComponentProps, createContext, useContext, useEffect, useRef, useState } from 'react';
import { assert } from '../../lib/assert.ts';
import type { ReceiptView } from '../../state/person/device-receipt.ts';
import { useSettled, useNow, useOverdue } from '../../state/hooks.ts';
import { ReceiptMark } from '../../ui/mark/receipt-mark.tsx';
import { Popover } from '../../ui/floating/popover.tsx';
import { type ReceiptText, receiptText } from './receipt-text.ts';
import { ReceiptDetails } from './receipt-details.tsx';
import './receipts.css';

type ReceiptButtonProps = {
  readonly view: ReceiptView;
  readonly onRetry: () => void;
  /** Null when there is nothing to keep, or no page to keep it of. */
  readonly onDownload: (() => void) | null;
};

/** After this long away from the server the slip opens by itself, once per outage. */
const OPENS_BY_ITSELF_AFTER_MS = 30_000;
const MOVES_AFTER_MS = 500;
/** Longer than the pause between two keys of who types fast. */
const KEEP_SENDING_MS = 250;
/** The live region says a state that has held this long. */
const ANNOUNCED_AFTER_MS = 1_000;

/**
 * Changes with every key and every answer of the server; the layer around it does not: drawing that anew took a fifth of
 * a key's time.
 */
const ViewContext = createContext<{ readonly view: ReceiptView; readonly words: ReceiptText } | null>(null);

function useReceipt() {
  const receipt = useContext(ViewContext);
  assert(receipt !== null, 'used outside of a receipt');
  return receipt;
}

export function ReceiptButton({ view, onRetry, onDownload }: ReceiptButtonProps) {
  const isWaiting = view.unsent.edits > 0;
  const now = useNow(isWaiting ? 1_000 : null);
  const words = receiptText(useSteadyView(view), now);
  const [isOpen, setOpen] = useState(false);
  useOpenOnOutage(view, now, () => setOpen(true));
  return (
    <ViewContext value={{ view, words }}>
      <DetailsPopover {...{ isOpen, setOpen, onRetry, onDownload }} />
      <Announcer words={words} />
    </ViewContext>
  );
}

/** Between the keys of one word nothing blinks: what is drawn stays "Sending" a moment longer, never "Saved". */
function useSteadyView(view: ReceiptView): ReceiptView {
  const isSending = view.receipt === 'sending';
  const wasSending = useSettled(isSending, isSending ? 0 : KEEP_SENDING_MS);
  return wasSending && view.receipt === 'saved' ? { ...view, receipt: 'sending' } : view;
}

type DetailsPopoverProps = Omit<ReceiptButtonProps, 'view'> & {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
};

function DetailsPopover({ isOpen, setOpen, onRetry, onDownload }: DetailsPopoverProps) {
  return (
    <Popover
      label="Where your edits are"
      className="receipt-details"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={<Indicator />}
    >
      <CurrentDetails {...{ onRetry, onDownload }} />
    </Popover>
  );
}

const CurrentDetails = (actions: Pick<ReceiptButtonProps, 'onRetry' | 'onDownload'>) => (
  <ReceiptDetails view={useReceipt().view} {...actions} />
);

/** Its layer adds what it needs to open. */
function Indicator(trigger: ComponentProps<'button'>) {
  const { view, words } = useReceipt();
  const isSlow = useOverdue(view.unsent.oldestAt, MOVES_AFTER_MS) && words.mark === 'sending';
  return (
    <button {...trigger} type="button" className="receipt num" data-receipt={view.receipt} data-mark={words.mark}>
      <ReceiptMark state={words.mark} isMoving={isSlow} />
      <span>{words.label}</span>
      {(words.count !== null || words.age !== null) && (
        <span className={words.count === null ? 'more age' : 'more'}>
          {words.count}
          {words.age !== null && <span className="age">{words.count === null ? words.age : `, ${words.age}`}</span>}
        </span>
      )}
    </button>
  );
}

/** Never says "sending": that would be said at every pause of typing. */
function Announcer({ words }: { readonly words: ReceiptText }) {
  const said = words.mark === 'sending' || words.mark === 'late' ? null : spoken(words);
  const held = useSettled(said, ANNOUNCED_AFTER_MS);
  return (
    <span className="sr" role="status">
      {held}
    </span>
  );
}

const spoken = ({ mark, label, count }: ReceiptText): string =>
  mark === 'device' || mark === 'tab' || mark === 'refused' ? `${label}, ${count ?? ''}` : label;

/** Not where a pointer or caret is at work: a layer that comes unasked takes no click and no key from anybody. */
function useOpenOnOutage(view: ReceiptView, now: number, open: () => void): void {
  const told = useRef(false);
  const isOut = view.receipt === 'device' || view.receipt === 'tab' || view.receipt === 'sending';
  const since = view.unsent.oldestAt;
  const isDue = isOut && since !== null && now - since >= OPENS_BY_ITSELF_AFTER_MS;
  useEffect(() => {
    if (view.receipt === 'saved') told.current = false;
    if (!isDue || told.current || isUserBusy()) return;
    told.current = true;
    open();
  });
}

function isUserBusy(): boolean {
  const at = document.activeElement;
  return at !== null && at.matches('input, textarea, [contenteditable="true"], [role="menu"], [role="dialog"] *');
}
