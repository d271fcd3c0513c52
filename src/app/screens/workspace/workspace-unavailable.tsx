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
  const unsentPages = useValue(lostOnSignOutAtom);
  const [savedFile, setSaved] = useState<string | null>(null);
  useEffect(() => void unsent.refresh(), [unsent]);
  return (
    <UnavailableScreen
      actions={
        <>
          <Button onClick={() => location.assign('/')}>Go to your workspace</Button>
          {unsentPages.length > 0 && <DownloadCopyButton onSaved={setSaved} />}
        </>
      }
    >
      {unsentPages.length > 0 && <p>{unsentSummary(unsentPages)}</p>}
      {savedFile !== null && <CopyDownloaded name={savedFile} />}
    </UnavailableScreen>
  );
}
