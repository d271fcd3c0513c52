// `/account`: outside of any workspace. The receipt in its bar covers all pages of this device.
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { AccountPage } from '../../../features/account/account-page.tsx';
import { usePerson, useValue } from '../../../state/hooks.ts';
import { Toasts } from '../../../ui/floating/toast.tsx';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';

export function AccountScreen() {
  const person = usePerson();
  const { unsent } = useValue(person.deviceReceiptAtom);
  useEffect(() => person.sendUnsent(), [person]);
  return (
    <>
      <TabTitle title="Your account" oldestAt={unsent.oldestAt} />
      <header className="top">
        <div className="bar">
          <Link className="btn" data-look="plain" to="/">
            <ArrowLeft className="icon" />
            Your pages
          </Link>
          <DeviceReceipt />
        </div>
      </header>
      <main>
        <AccountPage
          passwordLink={
            <Link className="btn" to="/reset" state={{ email: person.identity.email }}>
              Choose a new password
            </Link>
          }
          statusLink={
            <Link className="btn" to="/status">
              Check how the server is set up
            </Link>
          }
        />
      </main>
      <Toasts />
    </>
  );
}
