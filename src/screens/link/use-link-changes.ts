// The changes of the page behind a link since it was last watched on this device. Authors are not named.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { clockTime } from '../../editor/changes/clock-time.ts';
import type { VisitChanges } from '../../editor/changes/use-change-steps.tsx';
import type { Cancel } from '../../lib/cancel.ts';
import type { ChangesSince } from '../../ports/changes.ts';
import { useApp } from '../../state/hooks.ts';
import { useNow } from '../../ui/browser/use-time.ts';

const MINUTE_MS = 60_000;

export function useLinkChanges(secret: LinkSecret, watch: LinkWatch): VisitChanges | null {
  const { linkVisits } = useApp();
  const [found, setFound] = useState<{ readonly changes: ChangesSince; readonly rebuilds: number } | null>(null);
  const rebuilds = useSyncExternalStore(watch.subscribe, () => watch.getView().rebuilds);
  const now = useNow(MINUTE_MS);
  useEffect(() => {
    let stop: Cancel | null = null;
    let isCurrent = true;
    void linkVisits().then((visits) => {
      if (isCurrent)
        stop = visits.follow(secret, watch, (changes) => setFound({ changes, rebuilds: watch.getView().rebuilds }));
    }, reportError);
    return () => {
      isCurrent = false;
      stop?.();
    };
  }, [linkVisits, secret, watch]);
  return useMemo(() => {
    // Removed words among them may have been erased for good since.
    if (found === null || found.rebuilds !== rebuilds) return null;
    const { changes } = found;
    const times = Array.from(changes.touched).flatMap(([key, { at }]) =>
      at === null ? [] : [[key, clockTime(at, now)] as const],
    );
    return { found: changes, labels: new Map(times) };
  }, [found, rebuilds, now]);
}
