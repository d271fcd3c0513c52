// Before signing in again: what waits on this device.
import { usePerson, useValue } from '../../../state/hooks.ts';
import { ReceiptMark } from '../../../ui/mark/receipt-mark.tsx';
import './unsent-note.css';

export function UnsentNote() {
  const kept = useValue(usePerson().unsentPagesAtom);
  const edits = kept.reduce((sum, one) => sum + one.edits, 0);
  if (edits === 0) return null;
  return (
    <p className="unsent-note">
      <ReceiptMark state="device" />
      <span>
        {edits === 1
          ? '1 edit waits on this device and is sent when you sign in.'
          : `${edits} edits wait on this device and are sent when you sign in.`}
      </span>
    </p>
  );
}
