// The presence state of one topic in the form of Phoenix.Presence: metas by key, one per channel. Bounded, because everyone
// who joins with presence receives all of it. Sends nothing itself.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RealtimeOptions } from '../limits/options.ts';
import { presenceSize } from '../wire/payload-size.ts';
import type { JsonObject } from '../wire/wire-message.ts';

type Meta = JsonObject & { readonly phx_ref: string };
type Metas = { readonly [key: string]: { readonly metas: readonly Meta[] } };
type Entry = {
  readonly key: string;
  readonly person: unknown;
  readonly payload: JsonObject;
  readonly meta: Meta;
  readonly bytes: number;
};

export type PresenceDiff = { readonly joins: Metas; readonly leaves: Metas };
export type PresenceLimits = Pick<RealtimeOptions, 'maxPresenceBytesPerPerson' | 'maxPresenceBytesPerTopic'>;
/** `person`: the id of an account, or the socket of someone without one. All states of a person share a limit. */
export type PresenceOwner = { readonly channel: unknown; readonly person: unknown };

export class TopicPresence {
  readonly #limits: PresenceLimits;
  readonly #entries = new Map<unknown, Entry>();
  readonly #bytesOf = new Map<unknown, number>();
  #bytes = 0;
  /** The state as JSON, until it changes: many people may ask for it at once. */
  #text: string | null = null;

  constructor(limits: PresenceLimits) {
    this.#limits = limits;
  }

  /** A diff, which names the ref that a change replaces; null when nothing changes; 'full' above a limit. */
  track({ channel, person }: PresenceOwner, key: string, payload: JsonObject): PresenceDiff | 'full' | null {
    const before = this.#entries.get(channel);
    if (before !== undefined && isDeepStrictEqual(before.payload, payload)) return null;
    const bytes = presenceSize(key, payload);
    const { maxPresenceBytesPerPerson, maxPresenceBytesPerTopic } = this.#limits;
    const more = bytes - (before?.bytes ?? 0);
    if ((this.#bytesOf.get(person) ?? 0) + more > maxPresenceBytesPerPerson) return 'full';
    if (this.#bytes + more > maxPresenceBytesPerTopic) return 'full';
    const previous = before === undefined ? {} : { phx_ref_prev: before.meta.phx_ref };
    const meta = { ...payload, ...previous, phx_ref: randomBytes(12).toString('base64url') };
    this.#remove(channel);
    this.#entries.set(channel, { key, person, payload, meta, bytes });
    this.#count(person, bytes);
    return { joins: single(key, meta), leaves: before === undefined ? {} : single(key, before.meta) };
  }

  /** Null when the channel was not present. */
  untrack(channel: unknown): PresenceDiff | null {
    const entry = this.#remove(channel);
    return entry === null ? null : { joins: {}, leaves: single(entry.key, entry.meta) };
  }

  has(channel: unknown): boolean {
    return this.#entries.has(channel);
  }

  /** The whole state as JSON. */
  text(): string {
    return (this.#text ??= JSON.stringify(this.#state()));
  }

  #state(): Metas {
    const metas = new Map<string, Meta[]>();
    for (const { key, meta } of this.#entries.values()) {
      const others = metas.get(key);
      if (others === undefined) metas.set(key, [meta]);
      else others.push(meta);
    }
    // `fromEntries` defines properties, so a client's key "__proto__" stays an ordinary key.
    return Object.fromEntries([...metas].map(([key, list]) => [key, { metas: list }]));
  }

  #remove(channel: unknown): Entry | null {
    const entry = this.#entries.get(channel);
    if (entry === undefined) return null;
    this.#entries.delete(channel);
    this.#count(entry.person, -entry.bytes);
    return entry;
  }

  #count(person: unknown, bytes: number): void {
    this.#text = null;
    this.#bytes += bytes;
    const theirs = (this.#bytesOf.get(person) ?? 0) + bytes;
    if (theirs === 0) this.#bytesOf.delete(person);
    else this.#bytesOf.set(person, theirs);
  }
}

const single = (key: string, meta: Meta): Metas => Object.fromEntries([[key, { metas: [meta] }]]);
