// A topic that a socket has joined: its token, broadcasts and presence. Knows the socket only as `ChannelWire`.
import { isApiKey } from '../../keys/token.ts';
import type { Topic, TopicHub, TopicName } from '../topic/topic-hub.ts';
import type { PresenceDiff } from '../topic/topic-presence.ts';
import { type Delivery, broadcastDelivery, messageDelivery } from '../wire/delivery.ts';
import { encodeJsonText } from '../wire/frame-encoder.ts';
import { broadcastSize, jsonSize } from '../wire/payload-size.ts';
import { type Incoming, type JsonObject, type Ref, type WireFrame, isJsonObject } from '../wire/wire-message.ts';
import { type Admission, type AdmissionServices, extensionsOf, topicName } from './admission.ts';
import { ChannelPresence, type PresenceSocket, TOO_MANY_PRESENCE_EVENTS } from './channel-presence.ts';
import { ChannelRights } from './channel-rights.ts';
import { ExpiryWatch } from './expiry-watch.ts';
import type { JoinRequest } from './join-request.ts';

/** The part of the socket that a channel uses. */
export type ChannelWire = PresenceSocket & {
  readonly sendFrame: (frame: WireFrame) => void;
  readonly send: (joinRef: Ref, ref: Ref, topic: string, event: string, payload: JsonObject) => void;
  /** Called when the channel has ended; the socket then ignores its topic. */
  readonly remove: (channel: SocketChannel) => void;
};

export type ChannelServices = AdmissionServices & { readonly hub: TopicHub };

export class SocketChannel {
  readonly #services: ChannelServices;
  readonly #wire: ChannelWire;
  readonly #request: JoinRequest;
  readonly #name: TopicName;
  readonly #hubTopic: Topic;
  readonly #presence: ChannelPresence;
  #rights: ChannelRights;
  readonly #expiry: ExpiryWatch;
  #ended = false;
  #inbox: Promise<void> = Promise.resolve();
  readonly topic: string;
  readonly joinRef: Ref;

  /** Receives messages from here on: the reply to the join is sent before any other code runs. */
  constructor(services: ChannelServices, wire: ChannelWire, admission: Admission) {
    const { topic, joinRef, request, rights } = admission;
    this.#services = services;
    this.#wire = wire;
    this.#request = request;
    this.#name = topicName(topic, request);
    this.#rights = rights;
    this.#expiry = new ExpiryWatch(services.options.tokenCheckMs, (message) => this.#shutDown(message));
    this.topic = topic;
    this.joinRef = joinRef;
    this.#hubTopic = services.hub.enter(this.#name, this);
    this.#presence = new ChannelPresence(this, this.#hubTopic, wire, request, services);
  }

  get isPresent(): boolean {
    return this.#presence.isPresent;
  }

  /** Called after the reply to the join: sends the presence state and watches the token's expiry. */
  start(): void {
    if (!this.#syncPresence()) return;
    this.#expiry.watch(this.#rights.identity.expiresAt);
  }

  /** Handles messages in the order of arrival, even when one waits for the database. Resolves when this one is handled. */
  receive(message: Incoming): Promise<void> {
    this.#inbox = this.#inbox.then(() => this.#handle(message)).catch((error: unknown) => this.#crash(error));
    return this.#inbox;
  }

  /** Resolves when all received messages are handled. */
  async settled(): Promise<void> {
    await this.#inbox;
  }

  /** Delivers a message of someone else on the topic, or the client's own if it asked for that. */
  deliver(delivery: Delivery): void {
    if (this.#ended || !this.#rights.mayRead(delivery.extension)) return;
    if (delivery.frame !== null) this.#wire.sendFrame(delivery.frame);
    if (delivery.extension !== 'broadcast') return;
    const { quotas } = this.#services;
    quotas.countEvents();
    // As in Supabase Realtime, exceeding the limit closes the receiver's channel; the sender notices nothing.
    if (quotas.tooManyEvents) this.#shutDown('Too many messages per second');
  }

  /** Ends the channel without a message to the client. Others see its presence leave at once. */
  endSilently(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#expiry.stop();
    this.#services.hub.leave(this.#name, this);
    const diff = this.#hubTopic.presence.untrack(this);
    if (diff !== null) this.#publishPresence(diff);
    this.#wire.remove(this);
  }

  async #handle(message: Incoming): Promise<void> {
    if (this.#ended) return;
    if (message.kind === 'broadcast') {
      const { event, encoding, content } = message;
      await this.#broadcast(message.ref, broadcastSize(event, message), () =>
        broadcastDelivery({ topic: this.topic, event, encoding, content, meta: null }),
      );
      return;
    }
    switch (message.event) {
      case 'broadcast':
        return this.#textBroadcast(message.ref, message.payload);
      case 'presence':
        return this.#handlePresence(message.ref, message.payload);
      case 'access_token':
        return this.#replaceToken(message.payload);
      case 'phx_leave':
        return this.#leave(message.ref, message.joinRef);
      default: // ignored apart from the count, as in Supabase Realtime
        this.#services.quotas.countEvents();
    }
  }

  async #textBroadcast(ref: Ref, payload: unknown): Promise<void> {
    if (!isJsonObject(payload)) return this.#failed();
    // Supabase Realtime passes the whole object on, so that every sender can forge `meta.id`, the mark of a message
    // from the database. Here clients cannot set it in any form.
    const { meta: _, ...rest } = payload;
    await this.#broadcast(ref, jsonSize(payload), () => messageDelivery(this.topic, 'broadcast', rest));
  }

  async #broadcast(ref: Ref, bytes: number, delivery: () => Delivery): Promise<void> {
    // As in Supabase Realtime, there is no reply, even if one was requested.
    if (!(await this.#rights.mayWrite('broadcast')) || this.#ended) return;
    this.#services.quotas.countEvents();
    if (bytes > this.#services.options.maxPayloadBytes) {
      if (this.#request.ack) this.#reply(ref, 'error', 'payload_size_exceeded');
      return;
    }
    this.#hubTopic.publish(delivery(), this.#request.self ? null : this);
    // Receiving its own copy may have exceeded the limit and ended the channel.
    if (this.#request.ack && !this.#ended) this.#reply(ref, 'ok', {});
  }

  async #handlePresence(ref: Ref, payload: unknown): Promise<void> {
    const outcome = await this.#presence.handle(payload, this.#rights);
    if (this.#ended) return;
    switch (outcome.type) {
      case 'exceeded':
        return this.#shutDown(outcome.message);
      case 'refused':
        return this.#reply(ref, 'error', outcome.response);
      case 'accepted': {
        const { diff } = outcome;
        if (diff !== null) this.#publishPresence(diff);
        this.#reply(ref, 'ok', {});
        const isFirst = diff !== null && !this.#presence.enabled && Object.keys(diff.joins).length > 0;
        if (!isFirst) return;
        this.#presence.enabled = true;
        this.#syncPresence();
      }
    }
  }

  async #replaceToken(payload: unknown): Promise<void> {
    const token = isJsonObject(payload) ? payload['access_token'] : null;
    if (typeof token !== 'string' || isApiKey(token) || token === this.#rights.token) return;
    // The old token must not expire while the new one is verified.
    this.#expiry.stop();
    const rights = await ChannelRights.of(this.#services, this.#name, token, extensionsOf(this.#presence.enabled));
    if (this.#ended) return;
    if (!rights.ok) return this.#shutDown(rights.error.onChannel);
    this.#rights = rights.value;
    this.#expiry.watch(this.#rights.identity.expiresAt);
  }

  #publishPresence(diff: PresenceDiff): void {
    this.#services.quotas.countPresenceEvents(this.#hubTopic.members.size);
    this.#hubTopic.publish(messageDelivery(this.topic, 'presence_diff', diff), null);
  }

  /**
   * Sends the presence state to a client that wants it. Returns false after closing the channel because of the rate
   * limit.
   */
  #syncPresence(): boolean {
    const state = this.#presence.state(this.#rights);
    if (state === 'exceeded') {
      this.#shutDown(TOO_MANY_PRESENCE_EVENTS);
      return false;
    }
    if (state !== null) {
      const envelope = { joinRef: this.joinRef, ref: null, topic: this.topic, event: 'presence_state' };
      this.#wire.sendFrame(encodeJsonText(envelope, state.text));
    }
    return true;
  }

  #leave(ref: Ref, joinRef: Ref): void {
    // A leave with another join_ref lost a race against a newer join.
    if (joinRef !== this.joinRef) return;
    this.#reply(ref, 'ok', {});
    this.#close();
  }

  #shutDown(message: string): void {
    const payload = { message, status: 'error', extension: 'system', channel: this.#name.name };
    this.#wire.send(this.joinRef, null, this.topic, 'system', payload);
    this.#close();
  }

  #close(): void {
    this.endSilently();
    this.#wire.send(this.joinRef, this.joinRef, this.topic, 'phx_close', {});
  }

  #crash(error: unknown): void {
    this.#services.options.log(
      `a channel failed: ${error instanceof Error ? (error.stack ?? error.message) : 'unknown'}`,
    );
    this.#failed();
  }

  #failed(): void {
    if (this.#ended) return;
    this.endSilently();
    this.#wire.send(this.joinRef, this.joinRef, this.topic, 'phx_error', { reason: 'channel_crash' });
  }

  #reply(ref: Ref, status: 'ok' | 'error', response: JsonObject | string): void {
    this.#wire.send(this.joinRef, ref, this.topic, 'phx_reply', { status, response });
  }
}
