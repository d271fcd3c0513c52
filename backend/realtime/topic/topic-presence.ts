// The presence state of one topic in the form of Phoenix.Presence: metas by key, one per channel. Pure, except for the
// random refs.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../wire/wire-message.ts';

type Meta = JsonObject & { readonly phx_ref: string };
type Metas = { readonly [key: string]: { readonly metas: readonly Meta[] } };
type Entry = { readonly key: string; readonly payload: JsonObject; readonly meta: Meta };

export type PresenceDiff = { readonly joins: Metas; readonly leaves: Metas };

export class TopicPresence<Owner> {
  readonly #entries = new Map<Owner, Entry>();

  /** Null when nothing changes. A change names the ref that it replaces. */
  track(owner: Owner, key: string, payload: JsonObject): PresenceDiff | null {
    const before = this.#entries.get(owner);
    if (before !== undefined && isDeepStrictEqual(before.payload, payload)) return null;
    const previous = before === undefined ? {} : { phx_ref_prev: before.meta.phx_ref };
    const meta = { ...payload, ...previous, phx_ref: randomBytes(12).toString('base64url') };
    this.#entries.set(owner, { key, payload, meta });
    return { joins: single(key, meta), leaves: before === undefined ? {} : single(key, before.meta) };
  }

  /** Null when the owner was not present. */
  untrack(owner: Owner): PresenceDiff | null {
    const entry = this.#entries.get(owner);
    if (entry === undefined) return null;
    this.#entries.delete(owner);
    return { joins: {}, leaves: single(entry.key, entry.meta) };
  }

  state(): Metas {
    const metas = new Map<string, Meta[]>();
    for (const { key, meta } of this.#entries.values()) {
      const others = metas.get(key);
      if (others === undefined) metas.set(key, [meta]);
      else others.push(meta);
    }
    // `fromEntries` defines properties, so a client's key "__proto__" stays an ordinary key.
    return Object.fromEntries([...metas].map(([key, list]) => [key, { metas: list }]));
  }
}

const single = (key: string, meta: Meta): Metas => Object.fromEntries([[key, { metas: [meta] }]]);
