// The details of the receipt, in its popover: one sentence, facts about what waits, and the actions that help.
import type { LiveDiagnostics } from 'weft-sync/session/views.ts';
import { liveFacts } from '../../state/page/live-facts.ts';
import type { ReceiptView } from '../../state/person/device-receipt.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { receiptDetailsText } from './receipt-details-text.ts';

type ReceiptDetailsProps = {
  readonly view: ReceiptView;
  readonly readLive: (() => LiveDiagnostics | null) | null;
  readonly onRetry: () => void;
  readonly onDownload: (() => void) | null;
};

export function ReceiptDetails({ view, readLive, onRetry, onDownload }: ReceiptDetailsProps) {
  const now = useNow(view.retryAt === null ? null : 1_000);
  const text = receiptDetailsText(view, now, 'serviceWorker' in navigator);
  const live = readLive?.() ?? null;
  const facts = live === null ? text.facts : [...text.facts, ...liveFacts(live)];
  const download = text.canDownload ? onDownload : null;
  return (
    <>
      <h2 data-tone={text.tone}>{text.title}</h2>
      {text.sentence !== null && <p>{text.sentence}</p>}
      {facts.length > 0 && (
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {(text.canRetry || download !== null) && (
        <footer>
          {text.canRetry && (
            <Button size="small" onClick={onRetry}>
              Try now
            </Button>
          )}
          {download !== null && (
            <Button size="small" look="plain" onClick={download}>
              Download a copy
            </Button>
          )}
        </footer>
      )}
    </>
  );
}
