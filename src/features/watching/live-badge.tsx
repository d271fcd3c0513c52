// Shows whether the watched page is live. Each state differs by its word and its shape, not only by its color.
import { useSyncExternalStore } from 'react';
import type { WatchView } from 'weft-sync/session/views.ts';
import { timeAgo, timeOrDate } from './time-ago.ts';

type LiveBadgeProps = { readonly phase: WatchView['phase']; readonly changedAt: number | null };

export function LiveBadge({ phase, changedAt }: LiveBadgeProps) {
  const now = useSyncExternalStore(onSecond, seconds) * 1000;
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

const seconds = () => Math.floor(Date.now() / 1000);

function onSecond(run: () => void): () => void {
  const timer = setInterval(run, 1000);
  return () => clearInterval(timer);
}
