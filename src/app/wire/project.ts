// The project as this tab reaches it: one client, one clock of the server, and one log and one link for all pages.
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import { browserEnvironment } from 'weft-sync/browser/environment.ts';
import { deviceStorage } from 'weft-sync/browser/storage/shared-storage.ts';
import { ServerClock } from 'weft-sync/supabase/server-clock.ts';
import { deviceName } from '../../platform/browser/storage/device-name.ts';
import { projectKey, supabaseClient } from '../../platform/supabase/client.ts';
import type { RecentCalls } from '../../platform/supabase/recent-calls.ts';
import { rememberedIdentity } from '../../platform/supabase/remembered-identity.ts';
import type { Timing } from '../../state/offline/cached-list.ts';
import type { RunTimeConfig } from '../config/run-time-config.ts';

/** Loads when a page is first opened, made or read from this device: not every first screen needs it. */
export const pageCode = () => import('./page-code.ts');

export const timing: Timing = { ...browserClock, random: () => browserRandom.next() };

export type Project = ReturnType<typeof openProject>;

export function openProject(config: RunTimeConfig, recentCalls: RecentCalls) {
  const address = projectKey(config);
  const serverClock = new ServerClock();
  const client = supabaseClient(config, deviceStorage, serverClock, recentCalls);
  return {
    config,
    client,
    serverClock,
    /** The name under which this device files what it holds of the project. */
    filedUnder: deviceName(address),
    /** Who was signed in on this device, to start offline; and accounts that never signed out. */
    remembered: rememberedIdentity(address),
    sessionPorts: {
      clock: { ...browserClock, fromServer: serverClock.toDevice },
      random: browserRandom,
      environment: browserEnvironment,
    },
    /** One for all pages, because it renews the sign-in once for all. */
    openLog: once(({ supabaseLog }) => supabaseLog(client)),
    /** One for all pages: it knows which channels are open. */
    openLink: once(({ supabaseLink }) => supabaseLink(client)),
  };
}

type PageCode = Awaited<ReturnType<typeof pageCode>>;

function once<Port>(open: (code: PageCode) => Port): () => Promise<Port> {
  let port: Port | null = null;
  return async () => {
    const code = await pageCode();
    return (port ??= open(code));
  };
}
