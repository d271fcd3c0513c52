// Finds out soon that a connection is dead, if messages are sent on it: their author would believe that the others have them.
// realtime-js alone sends a heartbeat as rarely as the server allows, and waits as long for the answer.
import type { SupabaseClient } from '@supabase/supabase-js';
import { HANDLER } from './realtime-socket.ts';

/**
 * From a message to a heartbeat, and from any heartbeat to giving up the connection. A message soon before the next heartbeat of
 * realtime-js waits for that one.
 */
export const ANSWERS_WITHIN_MS = 20_000;

type Realtime = Pick<
  SupabaseClient['realtime'],
  'heartbeatIntervalMs' | 'onHeartbeat' | 'sendHeartbeat' | 'stateChangeCallbacks'
>;

export class Heartbeats {
  readonly #realtime: Realtime;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the connection was opened or last answered: realtime-js sends its next heartbeat an interval later. */
  #aliveAt = Number.NEGATIVE_INFINITY;

  constructor(realtime: Realtime) {
    this.#realtime = realtime;
    const isAlive = () => {
      this.#aliveAt = performance.now();
    };
    realtime.stateChangeCallbacks.open.push([HANDLER, isAlive]);
    realtime.onHeartbeat((status) => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (status === 'ok') isAlive();
      // With this one unanswered, realtime-js gives up the connection instead of sending the next.
      if (status === 'sent') this.#timer = setTimeout(() => void realtime.sendHeartbeat(), ANSWERS_WITHIN_MS);
    });
  }

  messageSent(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // The next one of realtime-js must not meet this one on its way: that would give up a connection that works.
      const next = this.#aliveAt + this.#realtime.heartbeatIntervalMs;
      if (performance.now() < next - ANSWERS_WITHIN_MS) void this.#realtime.sendHeartbeat();
    }, ANSWERS_WITHIN_MS);
  }
}
