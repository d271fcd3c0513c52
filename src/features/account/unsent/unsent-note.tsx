// A line on the sign-in screen: how many edits of the person wait on this device.
import { usePerson, useValue } from '../../../state/hooks.ts';
import { ReceiptMark } from '../../../ui/mark/receipt-mark.tsx';
import './unsent-note.css';

export function UnsentNote() {
  const waiting = useValue(usePerson().unsentPagesAtom);
  const edits = waiting.reduce((sum, one) => sum + one.edits, 0);
  if (edits === 0) return null;
  return (
    <p className="unsent-note">
      <ReceiptMark state="device" />
      <span>
        {edits === 1
          ? '1 edit is saved on this device. Sign in to send it.'
          : `${edits} edits are saved on this device. Sign in to send them.`}
      </span>
    </p>
  );
}
