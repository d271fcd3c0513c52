// Checks the app's own project with the sign-in of this device.
import type { SupabaseClient } from '@supabase/supabase-js';
import { parseUserId } from 'weft-sync/protocol/ids.ts';
import { err, ok } from '../../../lib/result.ts';
import type { Finding } from '../../../texts/project-findings.ts';
import type { ProjectAddress } from '../client.ts';
import type { InspectedSite } from './inspect-project.ts';

/** The code of the checks loads with the first call. */
export const projectInspector =
  (client: SupabaseClient, project: ProjectAddress & Omit<InspectedSite, 'origin'>, origin: string) =>
  async (): Promise<readonly Finding[]> => {
    const { inspectProject } = await import('./inspect-project.ts');
    return inspectProject({
      project,
      site: { ...project, origin },
      async session() {
        const { data } = await client.auth.getSession();
        const user = parseUserId(data.session?.user.id ?? '');
        return data.session === null || user === null
          ? err('no one is signed in')
          : ok({ token: data.session.access_token, user });
      },
      fetch: (input, init) => fetch(input, init),
      openSocket: (url) => new WebSocket(url),
      now: () => Date.now(),
    });
  };
