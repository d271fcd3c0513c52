// `/status`: outside of any workspace, like `/account`.
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Link } from 'react-router';
import { StatusPage } from '../../../features/status/status-page.tsx';
import { usePerson, useValue } from '../../../state/hooks.ts';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';

export function StatusScreen() {
  const { unsent } = useValue(usePerson().deviceReceiptAtom);
  return (
    <>
      <TabTitle title="Status" oldestAt={unsent.oldestAt} />
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
        <StatusPage />
      </main>
    </>
  );
}
