// The page behind the secret in the address: it is watched while the screen is mounted.
import { type ReactNode, Suspense } from 'react';
import { useLocation } from 'react-router';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { useWatch } from '../../state/hooks.ts';
import { parseLinkHash } from '../../state/workspace/page-address.ts';
import { UnavailableScreen } from '../errors/unavailable-screen.tsx';

type WatchedByLinkProps = {
  readonly opening: ReactNode;
  readonly children: (secret: LinkSecret, watch: LinkWatch) => ReactNode;
};

export function WatchedByLink({ opening, children }: WatchedByLinkProps) {
  const secret = parseLinkHash(useLocation().hash);
  if (secret === null) return <UnavailableScreen error={weftError('WF009')} />;
  return (
    <Suspense fallback={opening}>
      <Watched key={secret} secret={secret} opening={opening}>
        {children}
      </Watched>
    </Suspense>
  );
}

function Watched({ secret, opening, children }: WatchedByLinkProps & { readonly secret: LinkSecret }) {
  const watch = useWatch(secret);
  return watch === null ? opening : children(secret, watch);
}
