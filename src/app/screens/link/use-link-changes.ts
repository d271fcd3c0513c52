// The changes behind a link since it was last watched on this device. Authors are not named.
import { useEffect, useMemo, useState } from 'react';
import { clockTime } from '../../../editor/changes/clock-time.ts';
import type { VisitChanges } from '../../../editor/changes/use-change-steps.tsx';
import type { Cancel } from '../../../lib/cancel.ts';
import type { LinkSecret } from '../../../protocol/ids.ts';
import { useApp, useNow } from '../../../state/hooks.ts';
import type { ChangesSince } from '../../../state/ports/changes.ts';
import type { WatchSession } from '../../../sync/session/session-api.ts';

const MINUTE_MS = 60_000;

export function useLinkChanges(secret: LinkSecret, watch: WatchSession): VisitChanges | null {
  const { linkVisits } = useApp();
  const [found, setFound] = useState<ChangesSince | null>(null);
  const now = useNow(MINUTE_MS);
  useEffect(() => {
    let stop: Cancel | null = null;
    let isCurrent = true;
    void linkVisits().then((visits) => {
      if (isCurrent) stop = visits.follow(secret, watch, setFound);
    }, reportError);
    return () => {
      isCurrent = false;
      stop?.();
    };
  }, [linkVisits, secret, watch]);
  return useMemo(() => {
    if (found === null) return null;
    const times = Array.from(found.touched).flatMap(([key, { at }]) =>
      at === null ? [] : [[key, clockTime(at, now)] as const],
    );
    return { found, labels: new Map(times) };
  }, [found, now]);
}
