// The part of `src/app/wire` that finds out what changed since a visit. It loads after the page is on the screen.
import type { Log } from 'weft-sync/ports.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { supabaseWatchLog } from 'weft-sync/supabase/log.ts';
import { seenByLink } from '../../platform/browser/storage/seen-by-link.ts';
import { supabaseLogHistory } from '../../platform/supabase/log-history.ts';
import type { LinkVisits } from '../../ports/changes.ts';
import type { Timing } from '../../state/offline/cached-list.ts';
import { memberChangesSince } from './changes-since.ts';
import { compareWithLastVisit } from './link-visits.ts';

type Client = Parameters<typeof supabaseLogHistory>[0];
type FromServer = (at: number) => number;

export const memberChanges = (
  document: DocumentId,
  visit: { readonly seenSeq: number; readonly seenAt: number },
  {
    client,
    ...ports
  }: { readonly client: Client; readonly log: Log; readonly me: UserId; readonly fromServer: FromServer },
) => memberChangesSince(document, visit, { ...ports, history: supabaseLogHistory(client) });

export const linkVisits = (client: Client, clock: Timing, fromServer: FromServer): LinkVisits => {
  const ports = { seen: seenByLink(clock.now), watchLog: supabaseWatchLog(client), clock, fromServer };
  return { follow: (secret, watch, onChanges) => compareWithLastVisit(secret, watch, onChanges, ports) };
};
