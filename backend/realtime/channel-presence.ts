// The presence messages of one channel: track and untrack with their limits. What the channel does with the outcome
// (reply, close) is its own business.
import { CallLimit } from './call-limit.ts';
import type { ChannelRights } from './channel-rights.ts';
import type { RealtimeOptions } from './options.ts';
import { jsonSize } from './payload-size.ts';
import type { PresenceDiff } from './presence-roster.ts';
import type { Member, Topic } from './topic-hub.ts';
import { type JsonObject, isJsonObject } from './wire-message.ts';

export type PresenceOutcome =
  | { readonly type: 'accepted'; readonly diff: PresenceDiff | null }
  | { readonly type: 'refused'; readonly response: JsonObject }
  | { readonly type: 'exceeded'; readonly message: string };

export class ChannelPresence {
  readonly #owner: Member;
  readonly #topic: Topic;
  readonly #key: string;
  readonly #maxBytes: number;
  readonly #limit: CallLimit;
  /** Whether this client is told who is there; tracking turns it on. */
  enabled: boolean;

  constructor(owner: Member, topic: Topic, key: string, enabled: boolean, options: RealtimeOptions) {
    this.#owner = owner;
    this.#topic = topic;
    this.#key = key;
    this.enabled = enabled;
    this.#maxBytes = options.maxPayloadBytes;
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
  state(rights: ChannelRights): JsonObject | null {
    return this.enabled && rights.mayRead('presence') ? this.#topic.roster.state() : null;
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
    return { type: 'accepted', diff: this.#topic.roster.track(this.#owner, this.#key, payload) };
  }
}
