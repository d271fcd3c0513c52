// Presenting and watching: the database's messages and answers about the person who asks everyone to follow, and about
// the watchers.
import * as v from 'valibot';
import { parseJsonOrNull } from '../../lib/parse-or-null.ts';
import { type SessionId, parseSessionId } from './ids.ts';
import { place } from './place.ts';
import { branded, count, userId } from './shapes.ts';

/** The choice of a watcher while someone presents. */
export const STANCES = ['none', 'follows', 'declined'] as const;
export type Stance = (typeof STANCES)[number];

/** A watcher reports this about itself in its calls for rows. Anyone with the link can make up watchers. */
export type Watching = { readonly watcher: SessionId; readonly stance: Stance };

/** A presentation is over when its presenter has not called for this long. The database has the same number. */
export const PRESENTER_GONE_MS = 20_000;

const presentation = {
  /**
   * Orders messages and answers. It grows with every call of a presenter: the database's clock, in milliseconds since
   * 1970.
   */
  at: count,
  /** The presenting session and its user. Watchers by link receive neither. */
  session: v.optional(v.nullable(branded(parseSessionId))),
  user: v.optional(v.nullable(userId)),
  /** Null: the presentation is over. */
  place: v.nullable(place),
};

/** The message `presenting` of the database. */
const presentingMessage = v.object(presentation);
export type PresentingMessage = v.InferOutput<typeof presentingMessage>;

/** The presentation that an answer names, if there is one or has just been one. `age`: milliseconds since `at`. */
export const presentingAnswer = v.optional(v.nullable(v.object({ ...presentation, age: count })));
export type PresentingAnswer = v.InferOutput<typeof presentingAnswer>;

/** Watchers who may not edit the page, by name; watchers by link as a number. */
export const watchers = v.object({ people: v.array(userId), links: count });
export type Watchers = v.InferOutput<typeof watchers>;

/** The people who follow a presenter, or declined; `links`: how many watchers by link follow. */
export const followers = v.object({ people: v.array(userId), links: count, declined: v.array(userId) });
export type Followers = v.InferOutput<typeof followers>;

export const presentAnswer = v.object({
  at: count,
  epoch: v.string(),
  /**
   * False: another message went out less than half a second ago (longer with many watchers), so this place waits for
   * the next call.
   */
  published: v.boolean(),
  followers,
  /** The number of watchers, following or not. */
  watching: count,
});
export type PresentAnswer = v.InferOutput<typeof presentAnswer>;

const MAX_MESSAGE_BYTES = 1_024;

/** JSON in UTF-8. Null for bytes of any other form. */
export const decodePresenting = (bytes: Uint8Array): PresentingMessage | null =>
  bytes.length > MAX_MESSAGE_BYTES ? null : parseJsonOrNull(presentingMessage, new TextDecoder().decode(bytes));
