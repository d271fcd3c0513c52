// A workspace that does not exist, or that this person may not open any more. Edits of theirs that are only on this device
// are offered as a download.
import { useEffect, useState } from 'react';
import { unsentSummary } from '../../../features/account/unsent/unsent-summary.ts';
import { DownloadCopyButton, CopyDownloaded } from '../../../features/account/unsent/download-copy.tsx';
import { usePerson, useValue } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { UnavailableScreen } from '../errors/unavailable-screen.tsx';

export function WorkspaceUnavailable() {
  const { lostOnSignOutAtom, unsent } = usePerson();
  const atStake = useValue(lostOnSignOutAtom);
  const [saved, setSaved] = useState<string | null>(null);
  useEffect(() => void unsent.refresh(), [unsent]);
  return (
    <UnavailableScreen
      actions={
        <>
          <Button onClick={() => location.assign('/')}>Go to your workspace</Button>
          {atStake.length > 0 && <DownloadCopyButton onSaved={setSaved} />}
        </>
      }
    >
      {atStake.length > 0 && <p>{unsentSummary(atStake)}</p>}
      {saved !== null && <CopyDownloaded name={saved} />}
    </UnavailableScreen>
  );
}
