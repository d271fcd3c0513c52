// Profiles by user id, fetched when a person is first seen, and cached on this device.
import { type Atom, atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { RetryTimer, type RetryTiming } from '../../lib/async/retry-timer.ts';
import type { Result } from '../../lib/result.ts';
import type { ListCache } from '../../ports/device.ts';
import type { Profile } from '../../protocol/answers.ts';
import { parseStoredProfiles } from '../offline/stored-lists.ts';
import type { AtomStore } from '../store.ts';

/** A new map after each change. People whose profile is not loaded yet are missing. */
export type PeopleById = ReadonlyMap<UserId, Profile>;

const KEY = 'people';
/** The cache keeps this many of the profiles, those added last, so that a big workspace does not grow it without limit. */
const MAX_CACHED = 500;
/**
 * After a lost connection profiles are requested in the second half of this time, at random: the server may have restarted for
 * all.
 */
export const REJOIN_MS = 2_000;

export interface People {
  readonly atom: Atom<PeopleById>;
  /** People whose profile this person may not read: they left what both shared, or deleted their account. */
  readonly goneAtom: Atom<ReadonlySet<UserId>>;
  /** Fetches the profiles of people not seen before, cached or not: once each, and again after a failure. */
  readonly ensureLoaded: (users: Iterable<UserId>) => void;
  /** Fetches every known profile again, because a name or color changed somewhere. */
  readonly refresh: () => void;
  /** Calls `refresh` in a moment, once for all who ask until then. */
  readonly refreshSoon: () => void;
  readonly put: (profile: Profile) => void;
  readonly close: () => void;
}

export function cachedPeople(options: {
  readonly store: AtomStore;
  readonly listCache: ListCache;
  readonly timing: RetryTiming;
  readonly fetch: (users: readonly UserId[]) => Promise<Result<readonly Profile[], WeftError>>;
}): People {
  const { store, listCache } = options;
  const peopleAtom = atom<PeopleById>(new Map());
  const goneAtom = atom<ReadonlySet<UserId>>(new Set<UserId>());
  const seen = new Set<UserId>();
  /** The people in `seen` for whom no request has failed. */
  const requested = new Set<UserId>();
  let queue = new Set<UserId>();

  const add = (profiles: readonly Profile[]) => {
    const before = store.get(peopleAtom);
    const changed = profiles.filter((person) => !isSame(before.get(person.id), person));
    if (changed.length === 0) return;
    const after = new Map(before);
    for (const person of changed) after.set(person.id, person);
    store.set(peopleAtom, after);
    void listCache.save(KEY, Array.from(after.values()).slice(-MAX_CACHED));
  };

  const request = async () => {
    const users = Array.from(queue);
    queue = new Set();
    const answer = await options.fetch(users);
    // Ask again when they are next seen.
    if (!answer.ok) return users.forEach((user) => requested.delete(user));
    add(answer.value);
    const readable = new Set(answer.value.map(({ id }) => id));
    const before = store.get(goneAtom);
    const changed = users.filter((user) => before.has(user) === readable.has(user));
    if (changed.length === 0) return;
    const gone = new Set(before);
    for (const user of changed) if (!gone.delete(user)) gone.add(user);
    store.set(goneAtom, gone);
  };

  const enqueue = (users: Iterable<UserId>) => {
    const before = queue.size;
    for (const user of users) {
      seen.add(user);
      requested.add(user);
      queue.add(user);
    }
    // One request for everyone who came up in this turn of the event loop.
    if (before === 0 && queue.size > 0) queueMicrotask(() => void request());
  };

  const refresh = () => enqueue(seen);
  const soon = new RetryTimer(options.timing, refresh);

  void listCache.load(KEY).then((stored) => {
    const cached = parseStoredProfiles(stored) ?? [];
    add(cached.filter((person) => !store.get(peopleAtom).has(person.id)));
  });

  return {
    atom: peopleAtom,
    goneAtom,
    ensureLoaded: (users) => enqueue(Array.from(users).filter((user) => !requested.has(user))),
    refresh,
    refreshSoon: () => soon.runLater((REJOIN_MS / 2) * (1 + options.timing.random())),
    put: (profile) => add([profile]),
    close: () => soon.cancel(),
  };
}

/** Returns what a stream calls when it has caught up: profiles may have changed before it was joined again. */
export function refreshOnRejoin(people: Pick<People, 'refreshSoon'>): () => void {
  let hasJoined = false;
  return () => {
    if (hasJoined) people.refreshSoon();
    hasJoined = true;
  };
}

const isSame = (a: Profile | undefined, b: Profile) =>
  a?.displayName === b.displayName && a.color === b.color && a.avatarPath === b.avatarPath;
