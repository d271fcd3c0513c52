// Stays on one private topic of the database's changes: joins it, and joins again after every loss.
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import { parseAnswer } from 'weft-sync/protocol/answers.ts';
import type { ChannelJoins } from 'weft-sync/supabase/realtime/channel-joins.ts';
import { subscribeChannel } from 'weft-sync/supabase/realtime/subscribe-channel.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { type WorkspaceChange, workspaceChange } from '../../../protocol/answers.ts';
import { CHANGE_EVENT } from '../../../protocol/topics.ts';

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

export type TopicEvents = {
  change(change: WorkspaceChange): void;
  /** Runs before each join with the channel that joins. `isCurrent` is false once the channel is lost or left. */
  joining?(channel: RealtimeChannel, isCurrent: () => boolean): void;
  joined(channel: RealtimeChannel): void;
  lost?(): void;
};

/** Returns `leave`. */
export function stayOnTopic(
  options: {
    readonly client: SupabaseClient;
    readonly joins: ChannelJoins;
    readonly topic: string;
    readonly hasPresence: boolean;
  },
  on: TopicEvents,
): Cancel {
  const { client, joins, topic } = options;
  let channel: RealtimeChannel | null = null;
  let closed = false;
  let attempt = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let stopWaiting: Cancel = () => undefined;

  const join = () => {
    // Not before the connection is there and the topic's former channel is gone.
    stopWaiting = joins.whenReady(topic, joinNow);
  };

  const joinNow = () => {
    // A key of its own, so that two tabs of one person are two entries.
    const presence = { enabled: true, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    const mine = client.channel(topic, { config: { private: true, ...(options.hasPresence ? { presence } : {}) } });
    channel = mine;
    mine.on('broadcast', { event: CHANGE_EVENT }, (message) => {
      // Only the database can set `meta.id`.
      if (mine !== channel || typeof message.meta?.id !== 'string') return;
      const parsed = parseAnswer(workspaceChange, message.payload);
      if (parsed.ok) on.change(parsed.value);
    });
    on.joining?.(mine, () => mine === channel);
    subscribeChannel(client, mine, (status) => {
      if (mine !== channel) return;
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) {
        attempt = 0;
        on.joined(mine);
      } else {
        lose(mine);
      }
    });
  };

  const lose = (mine: RealtimeChannel) => {
    // Always create a new channel: after a server's phx_close, realtime-js never rejoins the old one.
    channel = null;
    on.lost?.();
    joins.leave(mine);
    if (closed) return;
    const ceiling = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt++);
    retry = setTimeout(join, FIRST_RETRY_MS + Math.random() * ceiling);
  };

  const rejoin = () => {
    if (closed || channel !== null) return;
    clearTimeout(retry);
    stopWaiting();
    join();
  };
  window.addEventListener('online', rejoin);
  join();

  return () => {
    closed = true;
    stopWaiting();
    window.removeEventListener('online', rejoin);
    clearTimeout(retry);
    const mine = channel;
    channel = null;
    if (mine !== null) joins.leave(mine);
  };
}
