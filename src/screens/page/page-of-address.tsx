// The page that the address names: it stays open while the screen is mounted, also when its view fails.
import type { ComponentType, ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import { PageContext, useOpenPage, useWorkspace } from '../../state/hooks.ts';
import { parsePageParam, workspacePath } from '../../state/workspace/page-address.ts';
import { ErrorBoundary } from '../../ui/feedback/error-boundary.tsx';
import type { Failure } from '../../ui/feedback/failed-part.tsx';
import { FailedInWorkspace } from '../errors/failed-in-workspace.tsx';
import { Unavailable } from '../errors/unavailable-screen.tsx';

type PageOfAddressProps = {
  /** Shown for an address that contains no page's id. */
  readonly missing: ReactNode;
  /** Shown in place of a view that failed. */
  readonly failed?: ComponentType<Failure>;
  readonly children: ReactNode;
};

export function PageOfAddress({ missing, failed: Failed = FailedInWorkspace, children }: PageOfAddressProps) {
  const { page = '' } = useParams();
  const id = parsePageParam(page);
  if (id === null) return missing;
  return (
    <OpenedPage key={id} id={id}>
      <ErrorBoundary renderFailed={(failure) => <Failed {...failure} />}>{children}</ErrorBoundary>
    </OpenedPage>
  );
}

function OpenedPage({ id, children }: { readonly id: DocumentId; readonly children: ReactNode }) {
  const page = useOpenPage(id);
  return page === null ? null : <PageContext value={page}>{children}</PageContext>;
}

/** A page that is missing or forbidden, inside the layout of its workspace. */
export function NoPage() {
  const { workspace } = useWorkspace();
  return (
    <Unavailable
      actions={
        <Link className="btn" to={workspacePath(workspace.slug)}>
          Back to {workspace.name}
        </Link>
      }
    />
  );
}
