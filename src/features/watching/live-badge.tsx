// Shows whether the watched page is live. Each state differs by its word and its shape, not only by its color.
import type { WatchView } from 'weft-sync/session/views.ts';
import { useNow } from '../../ui/browser/use-time.ts';
import { timeAgo, timeOrDate } from './time-ago.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

type LiveBadgeProps = { readonly phase: WatchView['phase']; readonly changedAt: number | null };

export function LiveBadge({ phase, changedAt }: LiveBadgeProps) {
  const minute = useNow(MINUTE_MS);
  // Seconds are shown for the first minute only.
  const now = useNow(changedAt !== null && changedAt > minute - MINUTE_MS ? SECOND_MS : MINUTE_MS);
  const [state, word, more] = badgeText(phase, changedAt, now);
  return (
    <span className="live-badge" data-state={state}>
      {/* A screen reader announces the state only, not the seconds that pass. */}
      <b role="status">{word}</b>
      {more !== null && (
        <span>
          {/* On phones the tools leave no room for this word. */}
          {state === 'live' && <span className="hide-on-phones">changed </span>}
          {more}
        </span>
      )}
    </span>
  );
}

type BadgeText = readonly [state: 'live' | 'reconnecting' | 'ended', word: string, more: string | null];

function badgeText(phase: WatchView['phase'], changedAt: number | null, now: number): BadgeText {
  const at = changedAt === null ? null : timeOrDate(changedAt, now);
  switch (phase) {
    case 'live':
      return ['live', 'Live', changedAt === null ? null : timeAgo(changedAt, now)];
    case 'opening':
      return ['reconnecting', 'Opening', null];
    case 'reconnecting':
    case 'failed':
      return ['reconnecting', 'Reconnecting', at];
    case 'ended':
      return ['ended', 'Ended', null];
  }
}
