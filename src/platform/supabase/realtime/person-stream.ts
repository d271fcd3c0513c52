// A person's own Realtime topic (the `PersonStream` port of src/state): changes that the workspace's topic does not carry
// for them.
import type { SupabaseClient } from '@supabase/supabase-js';
import type { WorkspaceChange } from '../../../protocol/answers.ts';
import type { UserId } from '../../../protocol/ids.ts';
import { personTopic } from '../../../protocol/topics.ts';
import { ChannelJoins } from './channel-joins.ts';
import { stayOnTopic } from './topic-membership.ts';

export function supabasePersonStream(client: SupabaseClient, user: UserId) {
  const joins = new ChannelJoins(client);
  return {
    open(on: { change(change: WorkspaceChange): void; caughtUp(): void }) {
      const leave = stayOnTopic(
        { client, joins, topic: personTopic(user), hasPresence: false },
        { change: (change) => on.change(change), joined: () => on.caughtUp() },
      );
      return { close: leave };
    },
  };
}
