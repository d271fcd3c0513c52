// `/w/:workspace/members`: the people of the workspace.
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { usePerson, useValue } from '../../state/hooks.ts';
import { MembersPage } from './members-page.tsx';
import { leftText, useLeaveWorkspace } from './use-leave-workspace.ts';

export function MembersScreen() {
  const person = usePerson();
  const receipt = useValue(person.deviceReceiptAtom);
  const leave = useLeaveWorkspace(leftText);
  return (
    <>
      <TabTitle title="Members" oldestAt={receipt.unsent.oldestAt} />
      <TopBar receipt={<DeviceReceipt />} actions={null} />
      <MembersPage origin={location.origin} onLeft={leave} />
    </>
  );
}
