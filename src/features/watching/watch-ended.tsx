// Shown in place of a page that cannot be watched.
import { useEffect, useSyncExternalStore } from 'react';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import { useApp } from '../../state/hooks.ts';
import { ERROR_TEXTS, textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Standalone } from '../../ui/feedback/standalone.tsx';

/** The server may take a page's new schema before all files of the new app are there. */
const RELOAD_AFTER_MS = 60_000;

type WatchEndedProps = {
  readonly watch: WatchSession;
  /** No one is there to press a button: a wall. */
  readonly isUnattended?: boolean;
};

/**
 * Takes the place of the page's content when the session has ended or failed: the link was revoked, for example, or the
 * page needs a newer app. Also shown while the page has not opened yet and the last try failed.
 */
export function WatchEnded({ watch, isUnattended = false }: WatchEndedProps) {
  const { phase, error } = useSyncExternalStore(watch.subscribe, watch.getView);
  const isOver = phase === 'ended' || error === null;
  return (
    <Standalone
      title={isOver ? ERROR_TEXTS.WF009 : textOf(error)}
      actions={
        !isOver &&
        (error.code === 'WF004' ? (
          <Reload isUnattended={isUnattended} />
        ) : (
          <Button onClick={() => watch.retry()}>Try now</Button>
        ))
      }
    >
      {isOver && <p>If someone sent you the address, ask them for a new one.</p>}
    </Standalone>
  );
}

/** The watch session of a page that needs a newer app has ended: it cannot try again. */
function Reload({ isUnattended }: { readonly isUnattended: boolean }) {
  const { reload } = useApp();
  useEffect(() => {
    if (!isUnattended) return undefined;
    const timer = setTimeout(reload, RELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isUnattended, reload]);
  return <Button onClick={reload}>Reload</Button>;
}
