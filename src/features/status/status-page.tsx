// The status page: how live updates fared in this tab, and for owners of a workspace whether the server is set up as
// Weft needs it, and what to do where it is not.
import { Suspense, use, useState, useTransition } from 'react';
import { useApp, usePerson, useValue } from '../../state/hooks.ts';
import type { Finding } from '../../texts/project-findings.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { FindingsList } from './findings-list.tsx';
import { LiveUpdates } from './live-updates.tsx';
import '../../ui/theme/section-page.css';
import './status-page.css';

export function StatusPage() {
  const { value: workspaces } = useValue(usePerson().workspacesAtom);
  return (
    <div className="section-page status-page">
      <h1>Status</h1>
      <section aria-labelledby="status-server">
        <h2 id="status-server">Server</h2>
        {workspaces === null ? (
          <Skeleton label="Loading" widths={['60%', '40%']} />
        ) : workspaces.some(({ role }) => role === 'owner') ? (
          <ServerCheck />
        ) : (
          <p className="secondary">Only people who own a workspace see how the server is set up.</p>
        )}
      </section>
      <section aria-labelledby="status-live">
        <h2 id="status-live">Live updates</h2>
        <LiveUpdates />
      </section>
    </div>
  );
}

function ServerCheck() {
  const app = useApp();
  const [findings, setFindings] = useState(() => app.inspectProject());
  const [isBusy, startCheck] = useTransition();
  return (
    <>
      <Suspense fallback={<Skeleton label="Checking the server" widths={['50%', '80%', '72%', '64%']} />}>
        <Findings findings={findings} />
      </Suspense>
      <div className="actions">
        <Button disabled={isBusy} onClick={() => startCheck(() => setFindings(app.inspectProject()))}>
          Check again
        </Button>
      </div>
    </>
  );
}

function Findings({ findings }: { readonly findings: Promise<readonly Finding[]> }) {
  const found = use(findings);
  const count = found.filter(({ status }) => status === 'unfit').length;
  return (
    <>
      <p role="status">{count === 0 ? 'The server is set up as Weft needs it.' : `To do: ${count}`}</p>
      <FindingsList findings={found} />
    </>
  );
}
