// The receipt on screens without a page: it covers all pages of this device.
import { useIsOffline, usePerson, useValue } from '../state/hooks.ts';
import type { ReceiptView } from '../state/person/device-receipt.ts';
import { ReceiptButton } from './receipts/receipt-button.tsx';

export function DeviceReceipt() {
  const person = usePerson();
  const isOffline = useIsOffline();
  const known = useValue(person.deviceReceiptAtom);
  const view: ReceiptView = isOffline ? { ...known, connection: 'offline', upToDate: false, isOfDevice: true } : known;
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
