// One joined topic of one socket: its token, broadcasts and presence. Knows the socket only as `ChannelWire`.
import { type Admission, type AdmissionServices, extensionsOf, topicName } from './admission.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import { ChannelChanges } from './channel-changes.ts';
import { ChannelPresence, TOO_MANY_PRESENCE_EVENTS } from './channel-presence.ts';
import { ChannelRights } from './channel-rights.ts';
import { type ChangeDelivery, type Delivery, broadcastDelivery, messageDelivery } from '../wire/delivery.ts';
import type { JoinRequest } from './join-request.ts';
import { broadcastSize, jsonSize } from '../wire/payload-size.ts';
import type { PresenceDiff } from '../topic/presence-roster.ts';
import { type ReplayedMessage, encodeReplayed } from '../messages/replay.ts';
import { ExpiryWatch } from './expiry-watch.ts';
import { isApiKey } from '../../keys/token.ts';
import type { Topic, TopicHub, TopicName } from '../topic/topic-hub.ts';
import {
  type Incoming,
  type JsonObject,
  type Ref,
  type Version,
  type WireFrame,
  isJsonObject,
} from '../wire/wire-message.ts';

/** What a channel asks of the socket it lives on. */
export type ChannelWire = {
  readonly version: Version;
  readonly sendFrame: (frame: WireFrame) => void;
  readonly send: (joinRef: Ref, ref: Ref, topic: string, event: string, payload: JsonObject) => void;
  /** The channel has ended: its topic is unmatched from now on. */
  readonly forget: (channel: Channel) => void;
};

export type ChannelServices = AdmissionServices & { readonly hub: TopicHub; readonly changes: ChangeFeed };

export class Channel {
  readonly #services: ChannelServices;
  readonly #wire: ChannelWire;
  readonly #request: JoinRequest;
  readonly #name: TopicName;
  readonly #members: Topic;
  readonly #presence: ChannelPresence;
  #rights: ChannelRights;
  readonly #expiry: ExpiryWatch;
  readonly #changes: ChannelChanges;
  #replayed: readonly ReplayedMessage[];
  readonly #replayedIds: ReadonlySet<string>;
  #ended = false;
  #inbox: Promise<void> = Promise.resolve();
  readonly topic: string;
  readonly joinRef: Ref;

  /** From now on it receives: the reply to the join goes out before anything else runs. */
  constructor(services: ChannelServices, wire: ChannelWire, admission: Admission) {
    const { topic, joinRef, request, rights, replayed } = admission;
    this.#services = services;
    this.#wire = wire;
    this.#request = request;
    this.#name = topicName(topic, request);
    this.#rights = rights;
    this.#expiry = new ExpiryWatch(services.options.tokenCheckMs, (message) => this.#shutDown(message));
    this.#changes = new ChannelChanges(services.changes, this, request.postgresChanges);
    this.#replayed = replayed;
    this.#replayedIds = new Set(replayed.map(({ meta }) => meta.id));
    this.topic = topic;
    this.joinRef = joinRef;
    this.#members = services.hub.enter(this.#name, this);
    this.#presence = new ChannelPresence(this, this.#members, request.presenceKey, request.presenceEnabled, services);
  }

  /** What the reply to the join says. */
  get answer(): JsonObject {
    return { postgres_changes: this.#changes.answer };
  }

  /** After the reply to the join: what was before, who is there, the changes of tables, and the watch over the token. */
  start(): void {
    for (const message of this.#replayed) {
      const frame = encodeReplayed(this.#wire.version, this.joinRef, message);
      if (frame !== null) this.#wire.sendFrame(frame);
    }
    // Told once; a channel lives long.
    this.#replayed = [];
    // The server listens to the database before it opens any socket.
    if (this.#request.replicationReady) this.#system('system', 'ok', 'Replication connection established');
    if (!this.#syncPresence()) return;
    void this.#subscribeToChanges();
    this.#expiry.watch(this.#rights.identity.expiresAt);
  }

  /** In the order of arrival, also where one message waits for the database. */
  receive(message: Incoming): void {
    this.#inbox = this.#inbox.then(() => this.#handle(message)).catch((error: unknown) => this.#crash(error));
  }

  /** When all that was received has been handled. */
  async settled(): Promise<void> {
    await this.#inbox;
  }

  /** From others on the topic, and from itself where the client asked for that. */
  deliver(delivery: Delivery): void {
    if (this.#ended || !this.#rights.mayRead(delivery.extension)) return;
    if (delivery.messageId !== null && this.#replayedIds.has(delivery.messageId)) return;
    const frame = delivery.frame(this.#wire.version);
    if (frame !== null) this.#wire.sendFrame(frame);
    if (delivery.extension !== 'broadcast') return;
    const { quotas } = this.#services;
    quotas.countEvents();
    // The receiver is the one who pays; the sender hears nothing of it.
    if (quotas.tooManyEvents) this.#shutDown('Too many messages per second');
  }

  deliverChange(change: ChangeDelivery, ids: readonly number[]): void {
    if (!this.#ended) this.#wire.sendFrame(change.frame(this.#wire.version, this.topic, ids));
  }

  /** Ends without a word to the client. The others see its presence leave at once. */
  drop(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#expiry.stop();
    this.#changes.end();
    this.#services.hub.leave(this.#name, this);
    const diff = this.#members.roster.untrack(this);
    if (diff !== null) this.#publishPresence(diff);
    this.#wire.forget(this);
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
        return this.#renew(message.payload);
      case 'phx_leave':
        return this.#leave(message.ref, message.joinRef);
      default: // ignored, but for the count, as in the original
        this.#services.quotas.countEvents();
    }
  }

  async #textBroadcast(ref: Ref, payload: unknown): Promise<void> {
    if (!isJsonObject(payload)) return;
    // The original passes the whole object on, so that whoever may send can forge `meta.id`, the mark of a message
    // from the database. Here that mark cannot come from a client in any form.
    const { meta: _, ...rest } = payload;
    await this.#broadcast(ref, jsonSize(payload), () => messageDelivery(this.topic, 'broadcast', rest));
  }

  async #broadcast(ref: Ref, bytes: number, delivery: () => Delivery): Promise<void> {
    // Silence, even where an answer was asked for: so does the original.
    if (!(await this.#rights.mayWrite('broadcast')) || this.#ended) return;
    this.#services.quotas.countEvents();
    if (bytes > this.#services.options.maxPayloadBytes) {
      if (this.#request.ack) this.#reply(ref, 'error', 'payload_size_exceeded');
      return;
    }
    this.#members.publish(delivery(), this.#request.self ? null : this);
    // The own copy may have been one too many.
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

  async #renew(payload: unknown): Promise<void> {
    const token = isJsonObject(payload) ? payload['access_token'] : null;
    if (typeof token !== 'string' || isApiKey(token) || token === this.#rights.token) return;
    // The old token must not expire while the new one is looked at.
    this.#expiry.stop();
    const rights = await ChannelRights.of(this.#services, this.#name, token, extensionsOf(this.#presence.enabled));
    if (this.#ended) return;
    if (!rights.ok) return this.#shutDown(rights.error.onChannel);
    this.#rights = rights.value;
    this.#expiry.watch(this.#rights.identity.expiresAt);
    void this.#subscribeToChanges();
  }

  async #subscribeToChanges(): Promise<void> {
    const outcome = await this.#changes.subscribe(this.#rights.identity);
    if (outcome !== null && !this.#ended) this.#system('postgres_changes', outcome.status, outcome.message);
  }

  #publishPresence(diff: PresenceDiff): void {
    this.#services.quotas.countPresenceEvents(this.#members.members.size);
    this.#members.publish(messageDelivery(this.topic, 'presence_diff', diff), null);
  }

  /** For a client that wants to know who is there. False: that was one question too many, and the channel is closed. */
  #syncPresence(): boolean {
    const state = this.#presence.state(this.#rights);
    if (state === 'exceeded') {
      this.#shutDown(TOO_MANY_PRESENCE_EVENTS);
      return false;
    }
    if (state !== null) this.#push('presence_state', state);
    return true;
  }

  #leave(ref: Ref, joinRef: Ref): void {
    // A leave that names another join raced a newer one; protocol 1.0.0 names none.
    if (this.#wire.version === '2.0.0' && joinRef !== this.joinRef) return;
    this.#reply(ref, 'ok', {});
    this.#close();
  }

  #shutDown(message: string): void {
    this.#system('system', 'error', message);
    this.#close();
  }

  #system(extension: 'system' | 'postgres_changes', status: 'ok' | 'error', message: string): void {
    this.#push('system', { message, status, extension, channel: this.#name.name });
  }

  #close(): void {
    this.drop();
    this.#wire.send(this.joinRef, this.joinRef, this.topic, 'phx_close', {});
  }

  #crash(error: unknown): void {
    this.#services.options.log(
      `a channel failed: ${error instanceof Error ? (error.stack ?? error.message) : 'unknown'}`,
    );
    if (this.#ended) return;
    this.drop();
    this.#wire.send(this.joinRef, this.joinRef, this.topic, 'phx_error', { reason: 'channel_crash' });
  }

  #push(event: string, payload: JsonObject): void {
    this.#wire.send(this.joinRef, null, this.topic, event, payload);
  }

  #reply(ref: Ref, status: 'ok' | 'error', response: JsonObject | string): void {
    this.#wire.send(this.joinRef, ref, this.topic, 'phx_reply', { status, response });
  }
}
