// Reads a channel's presence without trust: anyone who may be present can make it, as large and as often changed as the
// server allows.
import type { RealtimeChannel } from '@supabase/supabase-js';
import type { Cancel } from '../../../lib/cancel.ts';
import { isPresenceTooLarge } from './frame-guard.ts';

/** Reading presence takes time in proportion to its size, so changes within this time are read together. */
const READ_EVERY_MS = 100;
/** States beyond this number are not looked at. */
const MAX_STATES = 1_000;

/**
 * Calls `report` with the states (1,000 at most) after each change: at once, then at most every 100 ms. Null once
 * presence is too large to be read on this channel; then no one is known until the next join.
 */
export function watchPresence(channel: RealtimeChannel, report: (states: readonly unknown[] | null) => void): Cancel {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let isOver = false;
  const read = () => {
    isDue = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) read();
    }, READ_EVERY_MS);
    report(Object.values(channel.presenceState()).flat().slice(0, MAX_STATES));
  };
  channel.on('presence', { event: 'sync' }, () => {
    if (isOver) return;
    isDue = true;
    if (timer === undefined) read();
  });
  const stop = () => {
    isOver = true;
    isDue = false;
    clearTimeout(timer);
  };
  channel.on('system', {}, (payload: unknown) => {
    if (isOver || !isPresenceTooLarge(payload)) return;
    stop();
    report(null);
  });
  return stop;
}
