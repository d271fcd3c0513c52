// The presenter and the watchers of one page of the memory server, with the rules of the SQL functions in
// supabase/schemas/14_watching.sql, but for the longer pauses with many watchers. The caller checks roles.
import type { Bytes } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { PresentCall } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { SessionId, UserId } from '../protocol/ids.ts';
import type { Place } from '../protocol/place.ts';
import {
  type Followers,
  PRESENTER_GONE_MS,
  type PresentingAnswer,
  type Stance,
  type Watchers,
  type Watching,
} from '../protocol/presenting.ts';

const PUBLISH_EVERY_MS = 500;
const WRITE_AFTER_MS = 50_000;
const STANCE_AFTER_MS = 1_000;
const COUNTED_FOR_MS = 120_000;
const MAX_LINK_WATCHERS = 1_000;
const MAX_WATCHERS_OF_PERSON = 20;
const MAX_NAMED = 100;

type Presentation = {
  readonly session: SessionId;
  readonly user: UserId;
  /** Null: it is over. */
  readonly place: Place | null;
  readonly at: number;
  readonly since: number;
};

/** A link is named by its topic. */
export type WatcherOwner = { readonly user: UserId } | { readonly link: string };
type Watcher = {
  readonly owner: WatcherOwner;
  readonly stance: Stance;
  readonly seenAt: number;
  readonly mayEdit: boolean;
};

export class MemoryStage {
  readonly #now: () => number;
  #presentation: Presentation | null = null;
  #publishedAt = Number.NEGATIVE_INFINITY;
  readonly #watchers = new Map<SessionId, Watcher>();

  /** By offset: when a place was presented first and last. */
  readonly #presentedAt = new Map<number, readonly [first: number, last: number]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get presenter(): { readonly user: UserId; readonly session: SessionId } | null {
    const one = this.#presentation;
    return one !== null && one.place !== null && one.at > this.#now() - PRESENTER_GONE_MS ? one : null;
  }

  presentedAt(offset: number): readonly [first: number, last: number] | null {
    return this.#presentedAt.get(offset) ?? null;
  }

  /** `publish`: a message has to go out. */
  present(
    { session, place, starts }: PresentCall,
    user: UserId,
  ): Result<{ readonly at: number; readonly publish: boolean }, WeftError> {
    const now = this.#now();
    const before = this.#presentation;
    const isFresh = before !== null && before.place !== null && before.at > now - PRESENTER_GONE_MS;
    const isOwn = before?.session === session;
    if (place !== null && isFresh && !isOwn && !(starts && before.user === user))
      return err(weftError('WF015', before.user));
    const at = Math.max(Math.floor(now), (before?.at ?? 0) + 1);
    if (place === null) {
      if (before === null || !isOwn || before.place === null) return ok({ at: before?.at ?? 0, publish: false });
      this.#presentation = { ...before, place, at };
      // People who have seen the presentation must see its end, however little time has passed.
      return ok({ at, publish: this.#publishedAt >= before.since });
    }
    this.#presentation = { session, user, place, at, since: isOwn && isFresh ? before.since : now };
    this.#presentedAt.set(place.offset, [this.#presentedAt.get(place.offset)?.[0] ?? at, at]);
    const publish = now >= this.#publishedAt + PUBLISH_EVERY_MS;
    if (publish) this.#publishedAt = now;
    return ok({ at, publish });
  }

  /** The presenter has lost the right to edit. True: a message has to go out. */
  end(user: UserId): boolean {
    const before = this.#presentation;
    if (before?.user !== user || before.place === null) return false;
    this.#presentation = { ...before, place: null, at: Math.max(Math.floor(this.#now()), before.at + 1) };
    return true;
  }

  /** The presentation for answers. `isByLink`: without names. */
  answer(isByLink: boolean): PresentingAnswer {
    const one = this.#presentation;
    const age = one === null ? 0 : Math.max(0, Math.floor(this.#now()) - one.at);
    if (one === null || age >= PRESENTER_GONE_MS) return null;
    const { at, place, session, user } = one;
    return isByLink ? { at, age, place } : { at, age, place, session, user };
  }

  message(isByLink: boolean): Bytes {
    const { at, place, session, user } = this.answer(isByLink) ?? { at: 0, place: null };
    return new TextEncoder().encode(JSON.stringify({ at, place, session, user }));
  }

  watch(watching: Watching | null | undefined, owner: WatcherOwner, mayEdit: boolean): void {
    if (watching == null) return;
    const { watcher, stance } = watching;
    const now = this.#now();
    const before = this.#watchers.get(watcher);
    if (before !== undefined && keyOf(before.owner) !== keyOf(owner)) return;
    if (mayEdit && stance === 'none') {
      this.#watchers.delete(watcher);
      return;
    }
    const isDue =
      before === undefined ||
      before.seenAt <= now - WRITE_AFTER_MS ||
      (before.stance !== stance && before.seenAt <= now - STANCE_AFTER_MS);
    if (!isDue) return;
    if (before === undefined) {
      for (const [key, one] of this.#watchers) if (!this.#isCounted(one)) this.#watchers.delete(key);
      const ofOwner = [...this.#watchers.values()].filter((one) => keyOf(one.owner) === keyOf(owner));
      if (ofOwner.length >= ('link' in owner ? MAX_LINK_WATCHERS : MAX_WATCHERS_OF_PERSON)) return;
    }
    this.#watchers.set(watcher, { owner, stance, seenAt: now, mayEdit });
  }

  forgetLink(link: string): void {
    for (const [watcher, { owner }] of this.#watchers)
      if ('link' in owner && owner.link === link) this.#watchers.delete(watcher);
  }

  get watchers(): Watchers {
    // People who may edit follow, and are no readers.
    return { people: this.#people((_, mayEdit) => !mayEdit), links: this.#links(() => true) };
  }

  /** The number of all watchers, people who may edit included. */
  get watching(): number {
    return this.#people(() => true).length + this.#links(() => true);
  }

  get followers(): Followers {
    const people = this.#people((stance) => stance === 'follows');
    const declined = this.#people((stance) => stance === 'declined').filter((user) => !people.includes(user));
    return { people, declined, links: this.#links((stance) => stance === 'follows') };
  }

  #people(has: (stance: Stance, mayEdit: boolean) => boolean): UserId[] {
    const users = [...this.#watchers.values()].flatMap((one) =>
      'user' in one.owner && this.#isCounted(one) && has(one.stance, one.mayEdit) ? one.owner.user : [],
    );
    return [...new Set(users)].sort().slice(0, MAX_NAMED);
  }

  #links(has: (stance: Stance) => boolean): number {
    return [...this.#watchers.values()].filter((one) => 'link' in one.owner && this.#isCounted(one) && has(one.stance))
      .length;
  }

  #isCounted({ seenAt }: Watcher): boolean {
    return seenAt > this.#now() - COUNTED_FOR_MS;
  }
}

const keyOf = (owner: WatcherOwner): string => ('user' in owner ? owner.user : owner.link);
