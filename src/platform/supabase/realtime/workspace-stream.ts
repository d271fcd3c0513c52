// A workspace's Realtime topic: changes, which only the database can send, and presence, which says who is on which
// page.
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import { parseDocumentId, parseUserId, type DocumentId, type UserId } from 'weft-sync/protocol/ids.ts';
import { ChannelJoins } from 'weft-sync/supabase/realtime/channel-joins.ts';
import { watchPresence } from 'weft-sync/supabase/realtime/watch-presence.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { MemberLocation, WorkspaceStream } from '../../../ports/streams.ts';
import { workspaceTopic } from '../../../protocol/topics.ts';
import { stayOnTopic } from './topic-membership.ts';

/** SPECIFICATION.md, section 9. The server closes a channel after the sixth track within 30 s. */
const TRACK_EVERY_MS = 10_000;
/** Among more people this one no longer says where they are: everyone receives each message. */
const MAX_PEOPLE_TRACKED = 50;

/** Older versions of the app do not send `reading`. */
const tracked = v.object({ user: v.string(), document: v.nullable(v.string()), reading: v.optional(v.boolean()) });

export function supabaseWorkspaceStream(client: SupabaseClient, user: UserId): WorkspaceStream {
  const joins = new ChannelJoins(client);
  return {
    open(workspace, on) {
      let joined: RealtimeChannel | null = null;
      let currentPage: DocumentId | null = null;
      let isReader = false;
      let people = 0;
      let stopPresence: Cancel = () => undefined;
      const tracker = atMostEvery(TRACK_EVERY_MS, () => {
        if (people <= MAX_PEOPLE_TRACKED) void joined?.track({ user, document: currentPage, reading: isReader });
      });
      const leave = stayOnTopic(
        { client, joins, topic: workspaceTopic(workspace.id, workspace.epoch), hasPresence: true },
        {
          change: (change) => on.change(change),
          joining(channel, isCurrent) {
            stopPresence = watchPresence(channel, (states) => {
              if (!isCurrent()) return;
              const locations = locationsIn(states ?? []);
              people = states === null ? Number.POSITIVE_INFINITY : locations.length;
              on.locations(locations);
            });
          },
          joined(channel) {
            joined = channel;
            tracker.now();
            on.caughtUp();
          },
          lost() {
            joined = null;
            stopPresence();
            tracker.stop();
            on.locations(null);
          },
        },
      );

      return {
        setCurrentPage(document: DocumentId | null, isReading: boolean) {
          if (currentPage === document && isReader === isReading) return;
          currentPage = document;
          isReader = isReading;
          tracker.soon();
        },
        close() {
          joined = null;
          stopPresence();
          tracker.stop();
          leave();
        },
      };
    },
  };
}

/**
 * `soon` runs once the last run is long enough ago, and several calls until then make one run. `now` does not wait.
 */
function atMostEvery(ms: number, run: () => void) {
  let ranAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    ranAt = Date.now();
    run();
  };
  return {
    now,
    soon() {
      timer ??= setTimeout(now, Math.max(0, ranAt + ms - Date.now()));
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

function locationsIn(states: readonly unknown[]): readonly MemberLocation[] {
  return states.flatMap((state) => {
    const location = parseOrNull(tracked, state);
    const user = location === null ? null : parseUserId(location.user);
    if (location === null || user === null) return [];
    const document = location.document === null ? null : parseDocumentId(location.document);
    return [{ user, document, isReading: location.reading === true }];
  });
}
