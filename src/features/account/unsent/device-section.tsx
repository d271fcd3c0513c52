// The section of the account page about this device: edits that are not on the server, what other
// accounts left, and pages that open offline.
import { useState } from 'react';
import { usePerson, useValue } from '../../../state/hooks.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { CopyDownloaded, DownloadCopyButton } from './download-copy.tsx';
import { FormerAccountList } from './former-accounts.tsx';
import { StoredPages } from './stored-pages.tsx';
import { UnsentPages } from './unsent-pages.tsx';
import { unsentSummary } from './unsent-summary.ts';
import './device-section.css';

export function DeviceSection() {
  const { lostOnSignOutAtom, retryAll, sendUnsent } = usePerson();
  const unsentPages = useValue(lostOnSignOutAtom);
  const [savedFile, setSaved] = useState<string | null>(null);
  return (
    <section aria-labelledby="account-device">
      <h2 id="account-device">On this device</h2>
      <p className={unsentPages.length > 0 ? 'held' : undefined}>
        {unsentPages.length > 0 ? unsentSummary(unsentPages) : 'Every edit you made here is on the server.'}
      </p>
      {savedFile !== null && <CopyDownloaded name={savedFile} />}
      {unsentPages.length > 0 && (
        <>
          <UnsentPages pages={unsentPages} onSaved={setSaved} />
          <div className="actions">
            <Button
              onClick={() => {
                retryAll();
                sendUnsent();
              }}
            >
              Try now
            </Button>
            <DownloadCopyButton onSaved={setSaved} />
          </div>
        </>
      )}
      <FormerAccountList />
      <StoredPages />
    </section>
  );
}
