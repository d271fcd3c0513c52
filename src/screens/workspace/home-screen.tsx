// `/w/:workspace`: the home of a workspace.
import Plus from 'lucide-react/icons/plus';
import Upload from 'lucide-react/icons/upload';
import { useEffect } from 'react';
import { HomePage } from '../../features/workspace/home.tsx';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { useShell } from '../../shell/shell-context.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { useMayCreatePages, useValue, usePerson, useWorkspace } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LostEdits } from './lost-edits.tsx';
import { OfflineBanner } from './offline-banner.tsx';

export function HomeScreen() {
  const { newPage, importFiles } = useShell();
  const { workspace, listAtom } = useWorkspace();
  const person = usePerson();
  const mayCreate = useMayCreatePages();
  const name = useValue(listAtom).value?.workspace.name ?? workspace.name;
  const receipt = useValue(person.deviceReceiptAtom);
  useEffect(() => person.sendUnsent(), [person]);
  return (
    <>
      <TabTitle title={name} oldestAt={receipt.unsent.oldestAt} />
      <TopBar
        receipt={<DeviceReceipt />}
        banner={
          <>
            <LostEdits />
            <OfflineBanner />
          </>
        }
        actions={
          mayCreate && (
            <>
              <Button aria-label="Import" onClick={importFiles}>
                <Upload className="icon" />
                <span className="hide-on-phones">Import</span>
              </Button>
              <Button look="primary" aria-label="New page" onClick={() => newPage(null)}>
                <Plus className="icon" />
                <span className="hide-on-phones">New page</span>
              </Button>
            </>
          )
        }
      />
      <HomePage onNewPage={mayCreate ? () => newPage(null) : null} />
    </>
  );
}
