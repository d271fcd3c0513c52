// Handles a channel's presence messages: track and untrack, with their limits. The channel sends the replies.
import { CallLimit } from '../limits/call-limit.ts';
import type { ChannelRights } from './channel-rights.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import type { Quotas } from '../limits/quotas.ts';
import { jsonSize } from '../wire/payload-size.ts';
import type { PresenceDiff } from '../topic/topic-presence.ts';
import type { Member, Topic } from '../topic/topic-hub.ts';
import { type JsonObject, isJsonObject } from '../wire/wire-message.ts';

type Services = { readonly options: RealtimeOptions; readonly quotas: Quotas };

export type PresenceOutcome =
  | { readonly type: 'accepted'; readonly diff: PresenceDiff | null }
  | { readonly type: 'refused'; readonly response: JsonObject }
  | { readonly type: 'exceeded'; readonly message: string };

/** The message to a client that tracks, or requests the presence state, while the server's limit is exceeded. */
export const TOO_MANY_PRESENCE_EVENTS = 'Too many presence messages per second';

export class ChannelPresence {
  readonly #owner: Member;
  readonly #topic: Topic;
  readonly #key: string;
  readonly #maxBytes: number;
  readonly #limit: CallLimit;
  readonly #quotas: Quotas;
  /** Whether this client receives presence; tracking switches it on. */
  enabled: boolean;

  constructor(owner: Member, topic: Topic, key: string, enabled: boolean, services: Services) {
    const { options, quotas } = services;
    this.#owner = owner;
    this.#topic = topic;
    this.#key = key;
    this.enabled = enabled;
    this.#maxBytes = options.maxPayloadBytes;
    this.#quotas = quotas;
    this.#limit = new CallLimit(options.presenceCalls, options.presenceWindowMs);
  }

  async handle(payload: unknown, rights: ChannelRights): Promise<PresenceOutcome> {
    if (!isJsonObject(payload) || typeof payload['event'] !== 'string') return { type: 'accepted', diff: null };
    if (!this.#limit.take(performance.now())) {
      return { type: 'exceeded', message: 'Client presence rate limit exceeded' };
    }
    switch (payload['event'].toLowerCase()) {
      case 'track':
        return this.#track(payload['payload'] ?? {}, rights);
      case 'untrack':
        return { type: 'accepted', diff: this.#topic.presence.untrack(this.#owner) };
      default:
        return { type: 'refused', response: {} };
    }
  }

  /** The presence state; null when this client does not receive presence. */
  state(rights: ChannelRights): JsonObject | 'exceeded' | null {
    if (!this.enabled || !rights.mayRead('presence')) return null;
    if (this.#quotas.tooManyPresenceEvents) return 'exceeded';
    this.#quotas.countPresenceEvents();
    return this.#topic.presence.state();
  }

  async #track(payload: unknown, rights: ChannelRights): Promise<PresenceOutcome> {
    if (!this.enabled) await rights.askToRead('presence');
    if (!(await rights.mayWrite('presence'))) return { type: 'refused', response: {} };
    if (!isJsonObject(payload)) {
      return { type: 'refused', response: { reason: 'Presence track payload must be a map' } };
    }
    // The socket may have closed during the query; then nothing would ever remove this presence.
    if (!this.#topic.members.has(this.#owner)) return { type: 'refused', response: {} };
    if (jsonSize(payload) > this.#maxBytes) return { type: 'exceeded', message: 'Track message size exceeded' };
    if (this.#quotas.tooManyPresenceEvents) return { type: 'exceeded', message: TOO_MANY_PRESENCE_EVENTS };
    this.#quotas.countPresenceEvents();
    return { type: 'accepted', diff: this.#topic.presence.track(this.#owner, this.#key, payload) };
  }
}
