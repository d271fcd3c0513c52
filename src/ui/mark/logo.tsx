// The logo: the mark of a saved edit, and the name.
import { ReceiptMark } from './receipt-mark.tsx';

export function Logo() {
  return (
    <span className="logo">
      <ReceiptMark />
      Weft
    </span>
  );
}
