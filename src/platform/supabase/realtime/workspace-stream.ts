// A workspace's Realtime topic (the `WorkspaceStream` port of src/state): changes, which only the database can send,
// and presence, which says who is on which page.
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import type { Cancel } from '../../../lib/cancel.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import { type WorkspaceChange, type Workspace, workspaceChange, parseAnswer } from '../../../protocol/answers.ts';
import { parseDocumentId, parseUserId } from '../../../protocol/ids.ts';
import type { DocumentId, UserId } from '../../../protocol/ids.ts';
import { EVENTS, workspaceTopic } from '../../../protocol/topics.ts';
import { ChannelJoins } from './channel-joins.ts';
import { subscribeChannel } from './subscribe-channel.ts';
import { watchPresence } from './watch-presence.ts';

/** SPECIFICATION.md, point 9. The server closes a channel after the sixth track within 30 s. */
const TRACK_EVERY_MS = 10_000;
const MAX_PEOPLE_TRACKED = 50;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

const tracked = v.object({ user: v.string(), document: v.nullable(v.string()) });

type MemberLocation = { readonly user: UserId; readonly document: DocumentId | null };
type StreamEvents = {
  change(change: WorkspaceChange): void;
  /** Null while not connected. */
  locations(people: readonly MemberLocation[] | null): void;
  caughtUp(): void;
};

export function supabaseWorkspaceStream(client: SupabaseClient, user: UserId) {
  const joins = new ChannelJoins(client);
  return {
    open(workspace: Workspace, on: StreamEvents) {
      let channel: RealtimeChannel | null = null;
      let joined = false;
      const topic = workspaceTopic(workspace.id, workspace.epoch);
      let closed = false;
      let attempt = 0;
      let retry: ReturnType<typeof setTimeout> | undefined;
      let stopWaiting: Cancel = () => undefined;
      let currentPage: DocumentId | null = null;
      let people = 0;
      let stopPresence: Cancel = () => undefined;
      const tracker = atMostEvery(TRACK_EVERY_MS, () => {
        if (joined && people <= MAX_PEOPLE_TRACKED) void channel?.track({ user, document: currentPage });
      });

      const join = () => {
        stopWaiting = joins.whenReady(topic, joinNow);
      };

      const joinNow = () => {
        const mine = client.channel(topic, {
          config: {
            private: true,
            presence: { enabled: true, key: crypto.getRandomValues(new Uint32Array(4)).join('-') },
          },
        });
        channel = mine;
        mine.on('broadcast', { event: EVENTS.change }, (message) => {
          // Only the database can set `meta.id`.
          if (mine !== channel || typeof message.meta?.id !== 'string') return;
          const parsed = parseAnswer(workspaceChange, message.payload);
          if (parsed.ok) on.change(parsed.value);
        });
        stopPresence = watchPresence(mine, (states) => {
          if (mine !== channel) return;
          const locations = locationsIn(states ?? []);
          people = states === null ? Number.POSITIVE_INFINITY : locations.length;
          on.locations(locations);
        });
        subscribeChannel(client, mine, (status) => {
          if (mine !== channel) return;
          if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) {
            joined = true;
            attempt = 0;
            tracker.now();
            on.caughtUp();
          } else {
            lose(mine);
          }
        });
      };

      const lose = (mine: RealtimeChannel) => {
        // Always create a new channel: after a server's phx_close, realtime-js never rejoins the old one.
        channel = null;
        joined = false;
        stopPresence();
        tracker.stop();
        on.locations(null);
        joins.leave(mine);
        if (closed) return;
        const ceiling = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt++);
        retry = setTimeout(join, FIRST_RETRY_MS + Math.random() * ceiling);
      };

      const rejoin = () => {
        if (closed || joined || channel !== null) return;
        clearTimeout(retry);
        stopWaiting();
        join();
      };
      window.addEventListener('online', rejoin);
      join();

      return {
        setCurrentPage(document: DocumentId | null) {
          if (currentPage === document) return;
          currentPage = document;
          tracker.soon();
        },
        close() {
          closed = true;
          stopWaiting();
          window.removeEventListener('online', rejoin);
          clearTimeout(retry);
          stopPresence();
          tracker.stop();
          const mine = channel;
          channel = null;
          if (mine !== null) joins.leave(mine);
        },
      };
    },
  };
}

/**
 * Runs at once if the last run is long enough ago, otherwise as soon as it is. Several calls in between make one run.
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
    return [{ user, document: location.document === null ? null : parseDocumentId(location.document) }];
  });
}
