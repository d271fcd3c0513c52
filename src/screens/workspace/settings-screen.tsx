// `/w/:workspace/settings`: the workspace's name, export and deletion.
import { ExportWorkspace } from '../../features/import-export/zip/export-workspace.tsx';
import { deletedText, useLeaveWorkspace } from '../../features/members/use-leave-workspace.ts';
import { SettingsPage } from '../../features/workspace-settings/settings-page.tsx';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { usePerson, useValue } from '../../state/hooks.ts';

export function SettingsScreen() {
  const person = usePerson();
  const receipt = useValue(person.deviceReceiptAtom);
  const leave = useLeaveWorkspace(deletedText);
  return (
    <>
      <TabTitle title="Workspace settings" oldestAt={receipt.unsent.oldestAt} />
      <TopBar receipt={<DeviceReceipt />} actions={null} />
      <SettingsPage exportSection={<ExportWorkspace />} onDeleted={leave} />
    </>
  );
}
