// A watch session on its ports in Node: the adapters of the browser where they need no DOM, and an environment that is always
// online and visible.
import { browserClock, browserRandom } from '../platform/browser/clock.ts';
import { type ProjectAddress, supabaseClient } from '../platform/supabase/client.ts';
import { supabaseWatchLog } from '../platform/supabase/log.ts';
import { supabaseLink } from '../platform/supabase/realtime/link.ts';
import { ServerClock } from '../platform/supabase/server-clock.ts';
import type { LinkSecret } from '../protocol/ids.ts';
import { SCHEMA_VERSION } from '../protocol/limits.ts';
import type { Environment } from '../sync/ports.ts';
import type { LinkWatch } from '../sync/session/session-api.ts';
import { openWatch } from '../sync/session/watch-session.ts';
import type { WatchPosition, WatchedLog } from '../sync/session/watched-page.ts';

/** Nobody tells Node of the network. The session's own questions, every 15 s, find out. */
const ENVIRONMENT: Environment = { isOnline: () => true, isVisible: () => true, onChange: () => () => {} };

/** A link needs no account, so there is nothing to keep. */
const NO_STORAGE = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

export type OpenLinkOptions = { readonly from: WatchPosition | null; readonly log: WatchedLog };

export function openLink(project: ProjectAddress, secret: LinkSecret, { from, log }: OpenLinkOptions): LinkWatch {
  const client = supabaseClient(project, NO_STORAGE, new ServerClock());
  const session = openWatch(secret, {
    schemaVersion: SCHEMA_VERSION,
    log,
    ...(from === null ? {} : { from }),
    ports: {
      clock: browserClock,
      random: browserRandom,
      link: supabaseLink(client),
      watchLog: supabaseWatchLog(client),
      environment: ENVIRONMENT,
    },
  });
  const { getView, subscribe } = session;
  return {
    get doc() {
      return session.doc;
    },
    get shownAt() {
      return session.shownAt;
    },
    get shownSeq() {
      return session.shownSeq;
    },
    getView,
    subscribe,
    setStance: (stance) => session.setStance(stance),
    retry: () => session.retry(),
    close() {
      session.close();
      void client.auth.stopAutoRefresh();
      void client.realtime.disconnect();
    },
  };
}
