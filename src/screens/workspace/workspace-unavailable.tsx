// A workspace that does not exist, or that this person may not open any more. At the address of a page it says why that is
// closed, and takes a request for access. Edits that are only on this device are offered as a download.
import { Suspense, lazy, useEffect, useState } from 'react';
import { useMatch } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { DownloadCopyButton, CopyDownloaded } from '../../features/account/unsent/download-copy.tsx';
import { unsentSummary } from '../../features/account/unsent/unsent-summary.ts';
import { useClosure } from '../../features/closed-pages/use-closure.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { usePerson, useValue } from '../../state/hooks.ts';
import { parsePageParam } from '../../state/workspace/page-address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { StandaloneFrame } from '../../ui/feedback/standalone.tsx';
import { UnavailableScreen } from '../errors/unavailable-screen.tsx';

const ClosedPage = lazy(async () => ({
  default: (await import('../../features/closed-pages/closed-page.tsx')).ClosedPage,
}));

export function WorkspaceUnavailable() {
  const { lostOnSignOutAtom, unsent } = usePerson();
  const unsentPages = useValue(lostOnSignOutAtom);
  const [savedFile, setSaved] = useState<string | null>(null);
  const param = useMatch('/w/:workspace/p/:page')?.params.page;
  const page = param === undefined ? null : parsePageParam(param);
  useEffect(() => void unsent.refresh(), [unsent]);
  if (page !== null) return <ClosedPageAlone document={page} />;
  return (
    <UnavailableScreen
      actions={
        <>
          <WayOut />
          {unsentPages.length > 0 && <DownloadCopyButton onSaved={setSaved} />}
        </>
      }
    >
      {unsentPages.length > 0 && <p>{unsentSummary(unsentPages)}</p>}
      {savedFile !== null && <CopyDownloaded name={savedFile} />}
    </UnavailableScreen>
  );
}

const WayOut = () => <Button onClick={() => location.assign('/')}>Go to your workspace</Button>;

function ClosedPageAlone({ document }: { readonly document: DocumentId }) {
  const { lostOnSignOutAtom, onChange } = usePerson();
  const unsentPages = useValue(lostOnSignOutAtom);
  const [savedFile, setSaved] = useState<string | null>(null);
  const closure = useClosure(document, true, onChange);
  return (
    <StandaloneFrame>
      <TabTitle title="" />
      <Suspense fallback={null}>
        <ClosedPage
          document={document}
          closure={closure}
          unsentEdits={unsentPages.find((one) => one.document === document)?.edits ?? 0}
          download={
            savedFile === null ? <DownloadCopyButton onSaved={setSaved} /> : <CopyDownloaded name={savedFile} />
          }
          wayOut={<WayOut />}
        />
      </Suspense>
    </StandaloneFrame>
  );
}
