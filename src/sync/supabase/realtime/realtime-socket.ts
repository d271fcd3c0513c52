// Opens the client's one WebSocket to Realtime for the channels that wait to join. realtime-js would keep a join in a
// buffer while there is no connection, beside the join and the leave of every earlier try, and send all of them once the
// socket opens: 180 pages sent 993 joins after an outage, and the last one was back after 30 seconds. Here a channel is
// made only when the socket is open, and nothing of an earlier connection is sent in the next one.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Cancel } from '../../../lib/cancel.ts';

type RealtimeClient = SupabaseClient['realtime'];

/**
 * While channels wait, the time between two tries is random and between these two: the pages that lost a server come
 * back one by one, all of them within the longer one. realtime-js alone waits 1, 2, 5 and then 10 seconds, all pages
 * alike.
 */
export const RETRY_MIN_MS = 500;
export const RETRY_MAX_MS = 3_000;
/** A connection that is not open after this time is given up: its packets may have gone to a server that is dead. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Marks our handlers among those of realtime-js, which numbers its own. */
export const HANDLER = 'weft';

const openers = new WeakMap<RealtimeClient, SocketOpener>();

/** Calls `run` once the socket is open, in this task if it is open already. Tries until then. */
export function whenSocketOpen({ realtime }: SupabaseClient, run: () => void): Cancel {
  let opener = openers.get(realtime);
  if (opener === undefined) {
    opener = new SocketOpener(realtime);
    openers.set(realtime, opener);
  }
  return opener.whenOpen(run);
}

/**
 * Gives Realtime the present token, without which a join is sent as anon and refused after 5 s. The token is passed on
 * because `setAuth` without one drops its own when another call overtakes it, as after the join of another channel.
 */
export async function renewToken({ realtime }: SupabaseClient): Promise<void> {
  try {
    await realtime.setAuth((await realtime.accessToken?.()) ?? null);
  } catch {
    // The token could not be refreshed: the join goes out with the last one.
  }
}

class SocketOpener {
  readonly #realtime: RealtimeClient;
  readonly #waiting = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** By `performance.now`, because a device may set its clock. */
  #connectingSince = Number.NEGATIVE_INFINITY;

  constructor(realtime: RealtimeClient) {
    this.#realtime = realtime;
    // Channels report only that a connection was lost, so the socket's own events are needed.
    realtime.stateChangeCallbacks.open.push([HANDLER, () => this.#opened()]);
    realtime.stateChangeCallbacks.close.push([HANDLER, () => this.#closed()]);
  }

  whenOpen(run: () => void): Cancel {
    if (this.#realtime.isConnected()) {
      run();
      return () => undefined;
    }
    this.#waiting.add(run);
    // A new waiter has a better reason to try than the timer: the network is back, or a backoff with jitter has passed.
    void this.#try();
    return () => {
      this.#waiting.delete(run);
      if (this.#waiting.size === 0) clearTimeout(this.#timer);
    };
  }

  async #try(): Promise<void> {
    this.#tryLater();
    const realtime = this.#realtime;
    const isRecent = performance.now() - this.#connectingSince < CONNECT_TIMEOUT_MS;
    if (realtime.isConnected() || realtime.isDisconnecting() || (realtime.isConnecting() && isRecent)) return;
    if (isOffline()) return;
    this.#connectingSince = performance.now();
    // The closed socket stays until it is discarded, and until then `connect` does nothing.
    await realtime.disconnect();
    if (this.#waiting.size === 0) return;
    realtime.sendBuffer.length = 0;
    realtime.connect();
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    const ms = RETRY_MIN_MS + Math.random() * (RETRY_MAX_MS - RETRY_MIN_MS);
    this.#timer = setTimeout(() => void this.#try(), ms);
  }

  #opened(): void {
    clearTimeout(this.#timer);
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const run of waiting) run();
  }

  /** The tries of realtime-js would come beside these, and at the same moment in all pages. */
  #closed(): void {
    this.#realtime.reconnectTimer.reset();
  }
}

/** Whether the browser reports that there is no network. Outside of browsers this is unknown. */
const isOffline = (): boolean => 'onLine' in navigator && !navigator.onLine;
