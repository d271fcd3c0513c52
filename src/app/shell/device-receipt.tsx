// The receipt on screens without a page: it covers all pages of this device.
import { ReceiptButton } from '../../features/receipts/receipt-button.tsx';
import { usePerson, useValue } from '../../state/hooks.ts';

export function DeviceReceipt() {
  const person = usePerson();
  const view = useValue(person.deviceReceiptAtom);
  return (
    <ReceiptButton
      view={view}
      readLive={null}
      onRetry={() => {
        person.retryAll();
        person.sendUnsent();
      }}
      onDownload={null}
    />
  );
}
