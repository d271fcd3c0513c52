// `/w/:workspace/trash`: the pages that were moved to the trash.
import { useNavigate } from 'react-router';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { TrashPage } from './trash-page.tsx';

export function TrashScreen() {
  const receipt = useValue(usePerson().deviceReceiptAtom);
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  return (
    <>
      <TabTitle title="Trash" oldestAt={receipt.unsent.oldestAt} />
      <TopBar receipt={<DeviceReceipt />} actions={null} />
      <TrashPage onOpen={(page) => void navigate(pagePath(workspace.slug, page))} />
    </>
  );
}
