// The slip under the receipt: one sentence, the last receipt, what waits, what can be done.
import type { ReceiptView } from '../../state/person/device-receipt.ts';
import { useNow } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { receiptDetailsText } from './receipt-details-text.ts';

type ReceiptDetailsProps = {
  readonly view: ReceiptView;
  readonly onRetry: () => void;
  readonly onDownload: (() => void) | null;
};

export function ReceiptDetails({ view, onRetry, onDownload }: ReceiptDetailsProps) {
  const now = useNow(view.retryAt === null ? null : 1_000);
  const words = receiptDetailsText(view, now, 'serviceWorker' in navigator);
  const keepFile = words.canDownload ? onDownload : null;
  return (
    <>
      <h2 data-tone={words.tone}>{words.title}</h2>
      {words.sentence !== null && <p>{words.sentence}</p>}
      {words.facts.length > 0 && (
        <dl>
          {words.facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {(words.canRetry || keepFile !== null) && (
        <footer>
          {words.canRetry && (
            <Button size="small" onClick={onRetry}>
              Try now
            </Button>
          )}
          {keepFile !== null && (
            <Button size="small" look="plain" onClick={keepFile}>
              Keep a copy as a file
            </Button>
          )}
        </footer>
      )}
    </>
  );
}
