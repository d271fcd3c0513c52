// `/w/:workspace/members`: the people of the workspace.
import { useNavigate } from 'react-router';
import { MembersPage } from '../../../features/members/members-page.tsx';
import { usePerson, useValue } from '../../../state/hooks.ts';
import { DeviceReceipt } from '../../shell/device-receipt.tsx';
import { TabTitle } from '../../shell/tab-title.tsx';
import { TopBar } from '../../shell/top-bar.tsx';

export function MembersScreen() {
  const person = usePerson();
  const receipt = useValue(person.deviceReceiptAtom);
  const navigate = useNavigate();
  return (
    <>
      <TabTitle title="Members" oldestAt={receipt.unsent.oldestAt} />
      <TopBar receipt={<DeviceReceipt />} actions={null} />
      <MembersPage
        origin={location.origin}
        onLeft={() => {
          void person.refreshWorkspaces();
          void navigate('/');
        }}
      />
    </>
  );
}
