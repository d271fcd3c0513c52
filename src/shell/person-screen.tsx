// A screen outside of any workspace. The receipt in its bar covers all pages of this device.
import ArrowLeft from 'lucide-react/icons/arrow-left';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usePerson, useValue } from '../state/hooks.ts';
import { DeviceReceipt } from './device-receipt.tsx';
import { TabTitle } from './tab-title.tsx';
import { useScrollPlaces } from './use-scroll-places.ts';

type PersonScreenProps = { readonly title: string; readonly children: ReactNode };

export function PersonScreen({ title, children }: PersonScreenProps) {
  useScrollPlaces();
  const { unsent } = useValue(usePerson().deviceReceiptAtom);
  return (
    <>
      <TabTitle title={title} oldestAt={unsent.oldestAt} />
      <header className="top">
        <div className="bar">
          <Link className="btn" data-look="plain" to="/">
            <ArrowLeft className="icon" />
            Your pages
          </Link>
          <DeviceReceipt />
        </div>
      </header>
      <main>{children}</main>
    </>
  );
}
