// People who watch a page by its share link, without an account: real sessions, each with a connection of its own.
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { WatchSession } from 'weft-sync/session/session-api.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import { supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { SCHEMA_VERSION } from '../src/protocol/limits.ts';
import { ClientNetwork } from './client-network.ts';
import type { Weft } from './systems/weft.ts';
import { until } from './until.ts';

export type LinkWatcher = {
  readonly session: WatchSession;
  readonly network: ClientNetwork;
  /** Milliseconds from the row in the database to its arrival, for each row. */
  readonly delays: number[];
  /** Rows that were reported out of order. */
  readonly gaps: number;
};

/** This many join at once: not everyone opens a link in the same millisecond. */
const JOINS_AT_ONCE = 20;

/** Resolves when all are live. */
export async function openWatchers(weft: Weft, secret: LinkSecret, count: number): Promise<readonly LinkWatcher[]> {
  const watchers: LinkWatcher[] = [];
  while (watchers.length < count) {
    const some = Array.from({ length: Math.min(JOINS_AT_ONCE, count - watchers.length) }, () =>
      openWatcher(weft, secret),
    );
    await until(() => some.every(({ session }) => session.getView().phase === 'live'), 60_000);
    watchers.push(...some);
  }
  return watchers;
}

function openWatcher(weft: Weft, secret: LinkSecret): LinkWatcher {
  const network = new ClientNetwork();
  const client = weft.client(network);
  const delays: number[] = [];
  let lastSeq = 0;
  let gaps = 0;
  const session = openWatch(secret, {
    schemaVersion: SCHEMA_VERSION,
    log: {
      advanced({ since, seq, at }) {
        if (since !== lastSeq) gaps += 1;
        lastSeq = seq;
        // The database's clock is this machine's.
        if (at !== null) delays.push(Date.now() - at);
        return true;
      },
      replaced: () => undefined,
      caughtUp: () => undefined,
    },
    ports: {
      clock: browserClock,
      random: browserRandom,
      link: supabaseLink(client),
      watchLog: supabaseWatchLog(client),
      environment: new MemoryEnvironment(),
    },
  });
  return {
    session,
    network,
    delays,
    get gaps() {
      return gaps;
    },
  };
}
