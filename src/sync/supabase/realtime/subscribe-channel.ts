// Joins a channel so that the server always has the newest token for it. realtime-js puts a new token into joins that are yet to
// be sent, and sends it on channels that have joined. A channel that waits for the answer to its join misses it, and the server
// would close that channel when the token of its join expires.
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';

export function subscribeChannel(
  { realtime }: SupabaseClient,
  channel: RealtimeChannel,
  report: (status: REALTIME_SUBSCRIBE_STATES, error: Error | undefined) => void,
): void {
  const tokenOfJoin = realtime.accessTokenValue;
  channel.subscribe((status, error) => {
    const token = realtime.accessTokenValue;
    if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && token !== null && token !== tokenOfJoin) {
      // The server does not answer this message, so it needs no number of its own.
      realtime.push({ topic: channel.topic, event: 'access_token', payload: { access_token: token }, ref: 'token' });
    }
    report(status, error);
  });
}
