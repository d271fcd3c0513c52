// Says when a new channel of a topic may join. realtime-js returns the old channel again until the server has confirmed that it
// is closed, joins as anon without a token, and keeps joins for later while there is no connection.
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import type { Cancel } from '../../../lib/cancel.ts';
import { renewToken, whenSocketOpen } from './realtime-socket.ts';

export class ChannelJoins {
  readonly #client: SupabaseClient;
  /** By topic, as realtime-js names it. */
  readonly #leaving = new Map<string, Promise<unknown>>();

  constructor(client: SupabaseClient) {
    this.#client = client;
  }

  /** Calls `run` when the socket is open, Realtime has the newest token, and the topic's old channel is gone; never at once. */
  whenReady(topic: string, run: () => void): Cancel {
    const client = this.#client;
    let isOver = false;
    let stopWaiting: Cancel = () => undefined;
    const opened = async () => {
      await renewToken(client);
      await this.#leaving.get(`realtime:${topic}`);
      if (isOver) return;
      if (client.realtime.isConnected()) run();
      // The connection was lost again meanwhile.
      else wait();
    };
    const wait = () => {
      stopWaiting = whenSocketOpen(client, () => void opened());
    };
    wait();
    return () => {
      isOver = true;
      stopWaiting();
    };
  }

  leave(channel: RealtimeChannel): void {
    const left = this.#client.removeChannel(channel).catch(() => undefined);
    this.#leaving.set(channel.topic, left);
    void left.then(() => this.#leaving.get(channel.topic) === left && this.#leaving.delete(channel.topic));
  }
}
