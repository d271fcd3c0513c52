// The presence messages of one channel: track and untrack with their limits. What the channel does with the outcome
// (reply, close) is its own business.
import { CallLimit } from '../limits/call-limit.ts';
import type { ChannelRights } from './channel-rights.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import type { Quotas } from '../limits/quotas.ts';
import { jsonSize } from '../wire/payload-size.ts';
import type { PresenceDiff } from '../topic/presence-roster.ts';
import type { Member, Topic } from '../topic/topic-hub.ts';
import { type JsonObject, isJsonObject } from '../wire/wire-message.ts';

type Services = { readonly options: RealtimeOptions; readonly quotas: Quotas };

export type PresenceOutcome =
  | { readonly type: 'accepted'; readonly diff: PresenceDiff | null }
  | { readonly type: 'refused'; readonly response: JsonObject }
  | { readonly type: 'exceeded'; readonly message: string };

/** To a client that tracks, or wants to know who is there, while all together do so too often. */
export const TOO_MANY_PRESENCE_EVENTS = 'Too many presence messages per second';

export class ChannelPresence {
  readonly #owner: Member;
  readonly #topic: Topic;
  readonly #key: string;
  readonly #maxBytes: number;
  readonly #limit: CallLimit;
  readonly #quotas: Quotas;
  /** Whether this client is told who is there; tracking turns it on. */
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
        return { type: 'accepted', diff: this.#topic.roster.untrack(this.#owner) };
      default:
        return { type: 'refused', response: {} };
    }
  }

  /** Who is there; null when this client is not told. */
  state(rights: ChannelRights): JsonObject | 'exceeded' | null {
    if (!this.enabled || !rights.mayRead('presence')) return null;
    if (this.#quotas.tooManyPresenceEvents) return 'exceeded';
    this.#quotas.countPresenceEvents();
    return this.#topic.roster.state();
  }

  async #track(payload: unknown, rights: ChannelRights): Promise<PresenceOutcome> {
    if (!this.enabled) await rights.askToRead('presence');
    if (!(await rights.mayWrite('presence'))) return { type: 'refused', response: {} };
    if (!isJsonObject(payload)) {
      return { type: 'refused', response: { reason: 'Presence track payload must be a map' } };
    }
    // The socket may have died while the database was asked: nobody would ever take this presence away again.
    if (!this.#topic.members.has(this.#owner)) return { type: 'refused', response: {} };
    if (jsonSize(payload) > this.#maxBytes) return { type: 'exceeded', message: 'Track message size exceeded' };
    if (this.#quotas.tooManyPresenceEvents) return { type: 'exceeded', message: TOO_MANY_PRESENCE_EVENTS };
    this.#quotas.countPresenceEvents();
    return { type: 'accepted', diff: this.#topic.roster.track(this.#owner, this.#key, payload) };
  }
}
