// On the screens to sign in and to create an account: what waits on this device of a person whose sign-in has ended.
import { useAppValue, usePerson, useValue } from '../../../state/hooks.ts';
import { ReceiptMark } from '../../../ui/mark/receipt-mark.tsx';
import './unsent-note.css';

export function UnsentNote() {
  const waiting = useValue(usePerson().unsentPagesAtom);
  const edits = waiting.reduce((sum, one) => sum + one.edits, 0);
  const isExpired = useAppValue((app) => app.signInAtom).status === 'expired';
  if (edits === 0 && !isExpired) return null;
  return (
    <p className="unsent-note">
      <ReceiptMark state="device" />
      <span>
        {edits === 0 ? 'Your pages are still on this device.' : sentenceOf(edits)}
        {isExpired &&
          ' If the server no longer knows your account, create it again with the same address to keep them.'}
      </span>
    </p>
  );
}

const sentenceOf = (edits: number): string =>
  edits === 1
    ? '1 edit is saved on this device. Sign in to send it.'
    : `${edits} edits are saved on this device. Sign in to send them.`;
