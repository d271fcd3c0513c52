// Handles a channel's presence messages: track and untrack, with their limits. The channel sends the replies.
import { CallLimit } from '../limits/call-limit.ts';
import type { RealtimeOptions } from '../limits/options.ts';
import type { Quotas } from '../limits/quotas.ts';
import type { Topic, TopicMember } from '../topic/topic-hub.ts';
import type { PresenceDiff } from '../topic/topic-presence.ts';
import { presenceSize } from '../wire/payload-size.ts';
import { type JsonObject, isJsonObject } from '../wire/wire-message.ts';
import type { ChannelRights } from './channel-rights.ts';
import type { JoinRequest } from './join-request.ts';

type Services = { readonly options: RealtimeOptions; readonly quotas: Quotas };

/** What the channel does after a message: publishes the diff, if there is one; replies with an error; or closes. */
export type PresenceOutcome =
  | { readonly type: 'accepted'; readonly diff: PresenceDiff | null }
  | { readonly type: 'refused'; readonly response: JsonObject }
  | { readonly type: 'exceeded'; readonly message: string };

/** The message to a client that tracks, or requests the presence state, while the server's limit is exceeded. */
export const TOO_MANY_PRESENCE_EVENTS = 'Too many presence messages per second';

/** The reasons why a state is not tracked. The channel goes on: only its owner misses something. */
const TOO_MANY_PRESENCES = { reason: 'Too many presences on this socket' };
const TOPIC_IS_FULL = { reason: 'Too much presence on this topic' };

/** The part of the socket that limits presence. */
export type PresenceSocket = {
  /** The number of its channels that are present. */
  readonly presences: () => number;
};

export class ChannelPresence {
  readonly #owner: TopicMember;
  readonly #topic: Topic;
  readonly #key: string;
  readonly #socket: PresenceSocket;
  readonly #options: RealtimeOptions;
  readonly #limit: CallLimit;
  readonly #quotas: Quotas;
  /** Whether this client receives presence; tracking switches it on. */
  enabled: boolean;

  constructor(
    owner: TopicMember,
    topic: Topic,
    socket: PresenceSocket,
    { presenceKey, presenceEnabled }: Pick<JoinRequest, 'presenceKey' | 'presenceEnabled'>,
    { options, quotas }: Services,
  ) {
    this.#owner = owner;
    this.#topic = topic;
    this.#key = presenceKey;
    this.#socket = socket;
    this.enabled = presenceEnabled;
    this.#options = options;
    this.#quotas = quotas;
    this.#limit = new CallLimit(options.presenceCalls, options.presenceWindowMs);
  }

  async handle(payload: unknown, rights: ChannelRights): Promise<PresenceOutcome> {
    if (!isJsonObject(payload) || typeof payload['event'] !== 'string') return { type: 'accepted', diff: null };
    if (!this.#limit.take(performance.now()) || !this.#quotas.takePresenceCall(this.#personOf(rights))) {
      return { type: 'exceeded', message: 'Client presence rate limit exceeded' };
    }
    switch (payload['event'].toLowerCase()) {
      case 'track':
        return this.#track('payload' in payload ? payload['payload'] : {}, rights);
      case 'untrack':
        return { type: 'accepted', diff: this.#topic.presence.untrack(this.#owner) };
      default:
        return { type: 'refused', response: {} };
    }
  }

  get isPresent(): boolean {
    return this.#topic.presence.has(this.#owner);
  }

  /**
   * The presence state as JSON; null when this client does not receive presence, 'exceeded' above the server's limit.
   */
  state(rights: ChannelRights): { readonly text: string } | 'exceeded' | null {
    if (!this.enabled || !rights.mayRead('presence')) return null;
    if (this.#quotas.tooManyPresenceEvents) return 'exceeded';
    this.#quotas.countPresenceEvents();
    return { text: this.#topic.presence.text() };
  }

  async #track(payload: unknown, rights: ChannelRights): Promise<PresenceOutcome> {
    if (!this.enabled) await rights.askToRead('presence');
    if (!(await rights.mayWrite('presence'))) return { type: 'refused', response: {} };
    if (!isJsonObject(payload)) {
      return { type: 'refused', response: { reason: 'Presence track payload must be a map' } };
    }
    // The socket may have closed during the query; then nothing would ever remove this presence.
    if (!this.#topic.members.has(this.#owner)) return { type: 'refused', response: {} };
    if (presenceSize(this.#key, payload) > this.#options.maxPresenceBytes) {
      return { type: 'exceeded', message: 'Track message size exceeded' };
    }
    if (this.#quotas.tooManyPresenceEvents) return { type: 'exceeded', message: TOO_MANY_PRESENCE_EVENTS };
    if (!this.isPresent && this.#socket.presences() >= this.#options.maxPresencesPerSocket) {
      return { type: 'refused', response: TOO_MANY_PRESENCES };
    }
    this.#quotas.countPresenceEvents();
    const owner = { channel: this.#owner, person: this.#personOf(rights) };
    const diff = this.#topic.presence.track(owner, this.#key, payload);
    return diff === 'full' ? { type: 'refused', response: TOPIC_IS_FULL } : { type: 'accepted', diff };
  }

  /** Everyone without an account counts as one person per socket. */
  #personOf({ identity }: ChannelRights): unknown {
    const { sub } = identity.claims;
    return typeof sub === 'string' && sub !== '' ? sub : this.#socket;
  }
}
