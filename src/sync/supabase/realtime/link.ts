// The Link port on Supabase Realtime: private channels, one per topic at a time, abandoned at the first sign of
// trouble. realtime-js rejoins after some losses and never after others. Here every loss is reported once, and the
// session decides.
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js';
import * as v from 'valibot';
import type { Bytes } from '../../../lib/bytes.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { Channel, JoinOptions, Link, LinkEvents } from '../../ports.ts';
import { type SessionId, parseSessionId } from '../../protocol/ids.ts';
import { allowsClientBroadcasts } from '../../protocol/topics.ts';
import { trustedBytesOf } from './broadcast-bytes.ts';
import { ChannelJoins } from './channel-joins.ts';
import { Heartbeats } from './heartbeats.ts';
import { subscribeChannel } from './subscribe-channel.ts';
import { watchPresence } from './watch-presence.ts';

const tracked = v.object({ session: v.string() });
/** The server's answer to a refused join, as realtime-js passes it on. A socket's CloseEvent has a `code` as well. */
const refusal = v.object({ cause: v.object({ reason: v.string(), code: v.optional(v.never()) }) });
/** A server may pass on whatever another client sent. */
const broadcast = v.object({ event: v.string(), payload: v.optional(v.unknown()), meta: v.optional(v.unknown()) });
const databaseMark = v.object({ id: v.string() });
const notice = v.object({ message: v.string() });

/**
 * The least time to the next request to track, doubled each time: the server closes a channel at its sixth within 30 s.
 * All who move to another topic are refused together, so each adds a random part.
 */
const TRACK_AGAIN_MS = 2_000;
const TRACK_AGAIN_MAX_MS = 30_000;

const NO_EVENTS: LinkEvents = {
  joined: () => undefined,
  lost: () => undefined,
  message: () => undefined,
  peers: () => undefined,
};

export function supabaseLink(client: SupabaseClient): Link {
  const joins = new ChannelJoins(client);
  const heartbeats = new Heartbeats(client.realtime);
  return { join: (topic, options, on) => new LinkChannel(client, joins, heartbeats, topic, options, on) };
}

class LinkChannel implements Channel {
  readonly #client: SupabaseClient;
  readonly #joins: ChannelJoins;
  readonly #heartbeats: Heartbeats;
  readonly #topic: string;
  readonly #options: JoinOptions;
  #on: LinkEvents;
  #channel: RealtimeChannel | null = null;
  readonly #stopWaiting: Cancel;
  #trackAgain: ReturnType<typeof setTimeout> | undefined;
  #isJoined = false;
  #isOver = false;
  #lastNotice = '';
  #stopPresence: Cancel = () => undefined;

  constructor(
    client: SupabaseClient,
    joins: ChannelJoins,
    heartbeats: Heartbeats,
    topic: string,
    options: JoinOptions,
    on: LinkEvents,
  ) {
    this.#client = client;
    this.#joins = joins;
    this.#heartbeats = heartbeats;
    this.#topic = topic;
    this.#options = options;
    this.#on = on;
    // LK7: the join waits until there is a connection, however long that takes.
    this.#stopWaiting = joins.whenReady(topic, () => this.#join());
  }

  send(event: string, payload: Bytes): void {
    const channel = this.#channel;
    // While not joined, realtime-js would send by REST, which turns an ArrayBuffer into {}.
    if (channel === null || !this.#isJoined || this.#isOver || !this.#client.realtime.isConnected()) return;
    // Only an exact ArrayBuffer travels as bytes. A view would become a JSON object with one key per byte.
    void channel.send({ type: 'broadcast', event, payload: payload.slice().buffer });
    this.#heartbeats.messageSent();
  }

  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#remove();
  }

  #join(): void {
    if (this.#client.getChannels().some((other) => other.topic === `realtime:${this.#topic}`)) {
      this.#lose('closed', 'the topic is in use in this page');
      return;
    }
    const { presence } = this.#options;
    const channel = this.#client.channel(this.#topic, {
      config: {
        private: true,
        broadcast: { self: false, ack: false },
        presence: { enabled: presence !== null, key: presence ?? '' },
      },
    });
    this.#channel = channel;
    channel.on('broadcast', { event: '*' }, (message: unknown) => {
      const parsed = v.safeParse(broadcast, message);
      if (this.#isOver || !parsed.success) return;
      const { event, payload, meta } = parsed.output;
      const isFromDatabase = v.is(databaseMark, meta);
      this.#on.message(event, trustedBytesOf(payload, allowsClientBroadcasts(this.#topic)), isFromDatabase);
    });
    channel.on('system', {}, (payload: unknown) => {
      const parsed = v.safeParse(notice, payload);
      if (parsed.success) this.#lastNotice = parsed.output.message;
    });
    if (presence !== null) {
      this.#stopPresence = watchPresence(channel, (states) => this.#on.peers(sessionsIn(states ?? [])));
    }
    subscribeChannel(this.#client, channel, (status, error) => this.#status(status, error));
  }

  #status(status: REALTIME_SUBSCRIBE_STATES, error: Error | undefined): void {
    if (this.#isOver) return;
    switch (status) {
      case REALTIME_SUBSCRIBE_STATES.SUBSCRIBED: {
        this.#isJoined = true;
        void this.#track();
        this.#on.joined();
        return;
      }
      case REALTIME_SUBSCRIBE_STATES.CLOSED:
        this.#lose('closed', this.#lastNotice);
        return;
      case REALTIME_SUBSCRIBE_STATES.TIMED_OUT:
        this.#lose('disconnected', 'no answer to the join');
        return;
      case REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR: {
        const isRefused = !this.#isJoined && v.is(refusal, error);
        this.#lose(isRefused ? 'denied' : 'disconnected', error?.message ?? '');
      }
    }
  }

  /**
   * LK8: the server may refuse to track (limits of presence, a database that is away) or lose the request. Others would
   * believe that no one is here, and send nothing.
   */
  async #track(againMs = TRACK_AGAIN_MS): Promise<void> {
    const channel = this.#channel;
    const { presence } = this.#options;
    if (channel === null || presence === null) return;
    // Older apps list only states with a user; an id of no one shows them no wrong name.
    const answer = await channel.track({ session: presence, user: presence });
    if (answer === 'ok' || channel !== this.#channel) return;
    const next = Math.min(2 * againMs, TRACK_AGAIN_MAX_MS);
    this.#trackAgain = setTimeout(() => void this.#track(next), againMs * (1 + Math.random()));
  }

  #lose(reason: Parameters<LinkEvents['lost']>[0], detail: string): void {
    const on = this.#on;
    this.#isOver = true;
    this.#remove();
    on.lost(reason, detail);
  }

  #remove(): void {
    const channel = this.#channel;
    this.#stopPresence();
    this.#channel = null;
    this.#stopWaiting();
    clearTimeout(this.#trackAgain);
    this.#isJoined = false;
    // If a channel is left before its join was answered, realtime-js keeps it for 10 s. It must not keep the page in
    // memory too.
    this.#on = NO_EVENTS;
    if (channel !== null) this.#joins.leave(channel);
  }
}

/** Leaves out states that name no session. Anyone may claim any session; the database says whose it is. */
function sessionsIn(states: readonly unknown[]): readonly SessionId[] {
  return states.flatMap((state) => parseSessionId(parseOrNull(tracked, state)?.session ?? '') ?? []);
}
