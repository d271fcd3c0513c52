// A person's own Realtime topic: changes that the workspace's topic does not carry for them.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { ChannelJoins } from 'weft-sync/supabase/realtime/channel-joins.ts';
import type { PersonStream } from '../../../ports/streams.ts';
import { personTopic } from '../../../protocol/topics.ts';
import { stayOnTopic } from './topic-membership.ts';

export function supabasePersonStream(client: SupabaseClient, user: UserId): PersonStream {
  const joins = new ChannelJoins(client);
  return {
    open(on) {
      const leave = stayOnTopic(
        { client, joins, topic: personTopic(user), hasPresence: false },
        { change: (change) => on.change(change), joined: () => on.caughtUp() },
      );
      return { close: leave };
    },
  };
}
