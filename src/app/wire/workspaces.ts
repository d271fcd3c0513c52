// Workspaces, their pages and people: calls of the server, and its streams.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { supabaseDirectory } from '../../platform/supabase/directory.ts';
import { supabaseHome, supabaseInbox } from '../../platform/supabase/home.ts';
import { lazyPort } from '../../platform/supabase/lazy-port.ts';
import { supabasePersonStream } from '../../platform/supabase/realtime/person-stream.ts';
import { supabaseWorkspaceStream } from '../../platform/supabase/realtime/workspace-stream.ts';
import type { Membership } from '../../ports/workspace.ts';
import type { PersonPorts } from '../../state/person/person-ports.ts';
import type { Project } from './project.ts';

export const membershipPort = ({ client }: Project): Membership =>
  lazyPort(async () => (await import('../../platform/supabase/membership.ts')).supabaseMembership(client));

export function workspacePorts(
  { client, serverClock }: Project,
  user: UserId,
): Pick<PersonPorts, 'directory' | 'search' | 'inbox' | 'home' | 'access' | 'stream' | 'personStream'> {
  return {
    directory: supabaseDirectory(client, user, serverClock),
    search: lazyPort(async () =>
      (await import('../../platform/supabase/search.ts')).supabaseSearch(client, serverClock),
    ),
    inbox: supabaseInbox(client, serverClock),
    home: supabaseHome(client, serverClock),
    access: lazyPort(async () => (await import('../../platform/supabase/page-access.ts')).supabasePageAccess(client)),
    stream: supabaseWorkspaceStream(client, user),
    personStream: supabasePersonStream(client, user),
  };
}
