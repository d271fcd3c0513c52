// A watch session on its ports in Node: the adapters of the browser where they need no DOM, and an environment that is always
// online and visible.
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import type { Environment, WatchLog } from 'weft-sync/ports.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import { openWatch } from 'weft-sync/session/watch-session.ts';
import type { WatchStart, WatchedLog } from 'weft-sync/session/watched-page.ts';
import { supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { err } from '../lib/result.ts';
import { type ProjectAddress, supabaseClient } from '../platform/supabase/client.ts';
import { SCHEMA_VERSION } from '../protocol/limits.ts';

/** No one tells Node of the network. The session's own questions, every 15 s, find out. */
const ENVIRONMENT: Environment = { isOnline: () => true, isVisible: () => true, onChange: () => () => {} };

/** A link needs no account, so there is nothing to keep. */
const NO_STORAGE = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

export type OpenLinkOptions = { readonly from: WatchStart | null; readonly log: WatchedLog };

/** The detail of WF009 for a link that is to be joined. */
export const LINK_TO_JOIN = 'This link is not for watching: it lets people comment or edit. Ask for a link to watch.';

/** The database says nothing of a page behind a link to comment or edit, whose holder has to sign in. */
const onlyForWatching = (log: WatchLog): WatchLog => ({
  ...log,
  async openWatch(...asked) {
    const answer = await log.openWatch(...asked);
    return answer.ok && answer.value.role !== 'viewer' ? err(weftError('WF009', LINK_TO_JOIN)) : answer;
  },
});

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
      watchLog: onlyForWatching(supabaseWatchLog(client)),
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
