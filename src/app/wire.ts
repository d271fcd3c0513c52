// Where platform, sync and state meet: the only file that knows all three.
import { browserClock, browserRandom } from '../platform/browser/clock.ts';
import { idbStore } from '../platform/browser/idb-store.ts';
import { listShelf } from '../platform/browser/list-shelf.ts';
import { browserLocks } from '../platform/browser/locks.ts';
import { browserTabs } from '../platform/browser/tab-channel.ts';
import { browserSurroundings } from '../platform/browser/surroundings.ts';
import { browserTheme } from '../platform/browser/theme-choice.ts';
import { supabaseAccount } from '../platform/supabase/account.ts';
import { projectKey, supabaseClient } from '../platform/supabase/client.ts';
import { supabaseDirectory } from '../platform/supabase/directory.ts';
import { supabaseLink } from '../platform/supabase/link.ts';
import { supabaseLog, supabaseWatchLog } from '../platform/supabase/log.ts';
import { rememberedIdentity } from '../platform/supabase/remembered-identity.ts';
import { supabaseWorkspaceStream } from '../platform/supabase/workspace-stream.ts';
import { type AppState, appState } from '../state/app-state.ts';
import type { RunTimeConfig } from './run-time-config.ts';

/** Sessions bring Yjs along: loaded with the first page that is opened, not with the first screen. */
const sessions = () => import('./sessions.ts');

export function wire(config: RunTimeConfig, reload: () => void): AppState {
  const project = projectKey(config);
  const client = supabaseClient(config);
  const link = supabaseLink(client);
  const log = supabaseLog(client);
  const after = (ms: number, run: () => void) => browserClock.after(ms, run);
  const around = { clock: browserClock, random: browserRandom, link, surroundings: browserSurroundings };

  return appState({
    account: supabaseAccount(client, rememberedIdentity(project), { allowsGuests: config.allowsGuests }),
    theme: browserTheme,
    reload,
    after,
    onReturn: (run) =>
      browserSurroundings.onChange((fact) => {
        if (fact === 'online' || fact === 'visible') run();
      }),
    openWatch: async (secret) =>
      (await sessions()).openWatched(secret, { ...around, watchLog: supabaseWatchLog(client) }),
    portsOf({ id }) {
      const store = idbStore(project, id);
      const ports = { ...around, log, store, locks: browserLocks(), tabs: browserTabs(project, id) };
      return {
        directory: supabaseDirectory(client, id),
        stream: supabaseWorkspaceStream(client, id),
        shelf: listShelf(project, id),
        timing: { after, random: () => browserRandom.next() },
        kept: store,
        openSession: async (document) => (await sessions()).openOwn(document, id, ports),
      };
    },
  });
}
