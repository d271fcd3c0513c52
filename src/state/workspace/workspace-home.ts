// The home of a workspace: the edits of the last hour by page and person, changes since this person's visits, and the activity.
// Fetched again when something changes, and each minute; the last answer is cached on this device.
import { type Atom, atom } from 'jotai/vanilla';
import * as v from 'valibot';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { parseOrNull } from '../../lib/parse-or-null.ts';
import { type Result, ok } from '../../lib/result.ts';
import type { ListCache } from '../../ports/device.ts';
import type { MemberLocation } from '../../ports/streams.ts';
import type { Home } from '../../ports/workspace.ts';
import type { WorkspaceChange } from '../../protocol/answers.ts';
import { type ActivityEntry, type HomeSummary, activityEntry, homeSummary } from '../../protocol/home-answers.ts';
import type { WorkspaceId } from '../../protocol/ids.ts';
import { type Timing, cachedList } from '../offline/cached-list.ts';
import type { People } from '../people/people.ts';
import type { AtomStore } from '../store.ts';

/** One answer. `at` is when it came: the last minute of the chart. */
type HomeAnswer = {
  readonly at: number;
  readonly summary: HomeSummary;
  readonly activity: readonly ActivityEntry[];
};

export type HomeState = {
  /** Null until there is an answer, or a copy on this device. */
  readonly value: HomeAnswer | null;
  readonly error: WeftError | null;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
};

export interface WorkspaceHome {
  readonly atom: Atom<HomeState>;
  /** Keeps it up to date until it is cancelled. */
  readonly follow: () => Cancel;
  /** Older entries of the activity. */
  readonly more: () => Promise<void>;
}

const PAGE = 30;
/** A busy workspace reports several changes a second, and the answer costs the database some work. */
const REFRESH_EVERY_MS = 4_000;
/** The chart shows minutes. */
const REFRESH_AT_LEAST_MS = 60_000;
const KINDS: readonly WorkspaceChange['kind'][] = ['document', 'access', 'member', 'link', 'visit'];

const storedAnswer = v.object({
  at: v.number(),
  summary: homeSummary,
  activity: v.array(v.object({ ...activityEntry.entries, at: v.number(), until: v.number() })),
});

type HomeOptions = {
  readonly workspace: WorkspaceId;
  readonly store: AtomStore;
  readonly home: Pick<Home, 'summary' | 'activity'>;
  readonly listCache: ListCache;
  readonly timing: Timing;
  readonly people: Pick<People, 'ensureLoaded'>;
  readonly locationsAtom: Atom<readonly MemberLocation[] | null>;
  readonly onChange: (run: (change: WorkspaceChange) => void) => Cancel;
};

export function workspaceHome(options: HomeOptions): WorkspaceHome {
  const { workspace, store, home, timing } = options;
  const stateAtom = atom<HomeState>({ value: null, error: null, hasMore: false, isLoadingMore: false });
  /** This person may have lost the right to see a page of the older entries: those are fetched again on demand. */
  let mustForgetOlder = false;

  const show = (answer: HomeAnswer | null, error: WeftError | null) => {
    const before = store.get(stateAtom);
    if (answer === null) return store.set(stateAtom, { ...before, error });
    options.people.ensureLoaded(peopleIn(answer));
    const older = mustForgetOlder ? [] : olderThan(answer.activity, before.value?.activity ?? []);
    mustForgetOlder = false;
    store.set(stateAtom, {
      value: { ...answer, activity: [...answer.activity, ...older] },
      error,
      hasMore: older.length > 0 ? before.hasMore : answer.activity.length === PAGE,
      isLoadingMore: before.isLoadingMore,
    });
  };

  return {
    atom: stateAtom,
    follow() {
      // Changes of access may have been missed since it was followed last.
      if (store.get(stateAtom).value !== null) mustForgetOlder = true;
      const list = cachedList<HomeAnswer>({
        store,
        listCache: options.listCache,
        key: `home:${workspace}`,
        fetch: () => fetchHome(options),
        parse: (stored) => parseOrNull(storedAnswer, stored),
        timing,
      });
      const refreshes = pacedRefreshes(timing, list.refresh);
      const stops: Cancel[] = [
        list.close,
        refreshes.cancel,
        store.sub(list.atom, () => {
          const { value, error } = store.get(list.atom);
          show(value, error);
        }),
        store.sub(options.locationsAtom, () => refreshes.within(0)),
        options.onChange(({ kind, op }) => {
          if (kind === 'access' || op === 'removed') mustForgetOlder = true;
          if (KINDS.includes(kind)) refreshes.within(0);
        }),
      ];
      refreshes.within(REFRESH_AT_LEAST_MS);
      return () => stops.forEach((stop) => stop());
    },
    async more() {
      const { value, hasMore, isLoadingMore } = store.get(stateAtom);
      const last = value?.activity.at(-1);
      if (last === undefined || !hasMore || isLoadingMore) return;
      store.set(stateAtom, { ...store.get(stateAtom), isLoadingMore: true });
      const answer = await home.activity(workspace, last.id, PAGE);
      const now = store.get(stateAtom);
      if (!answer.ok || now.value === null) {
        return store.set(stateAtom, { ...now, error: answer.ok ? null : answer.error, isLoadingMore: false });
      }
      options.people.ensureLoaded(answer.value.flatMap(({ actor }) => actor ?? []));
      const isUnchanged = now.value.activity.at(-1)?.id === last.id;
      store.set(stateAtom, {
        ...now,
        value: isUnchanged ? { ...now.value, activity: [...now.value.activity, ...answer.value] } : now.value,
        hasMore: isUnchanged ? answer.value.length === PAGE : now.hasMore,
        isLoadingMore: false,
      });
    },
  };
}

async function fetchHome({
  workspace,
  home,
  timing,
}: Pick<HomeOptions, 'workspace' | 'home' | 'timing'>): Promise<Result<HomeAnswer, WeftError>> {
  const [summary, activity] = await Promise.all([home.summary(workspace), home.activity(workspace, null, PAGE)]);
  if (!summary.ok) return summary;
  return activity.ok ? ok({ at: timing.now(), summary: summary.value, activity: activity.value }) : activity;
}

/** Refreshes when asked, at most every four seconds, and once a minute unasked. */
function pacedRefreshes(timing: Timing, refresh: () => Promise<void>) {
  let refreshedAt = timing.now();
  let next: { readonly at: number; readonly cancel: Cancel } | null = null;
  const within = (ms: number) => {
    const now = timing.now();
    const at = Math.max(now + ms, refreshedAt + REFRESH_EVERY_MS);
    if (next !== null && next.at <= at) return;
    next?.cancel();
    const cancel = timing.after(at - now, () => {
      next = null;
      refreshedAt = timing.now();
      void refresh();
      within(REFRESH_AT_LEAST_MS);
    });
    next = { at, cancel };
  };
  return { within, cancel: () => next?.cancel() };
}

/** The shown entries that are older than these, if none is missing between. */
function olderThan(newest: readonly ActivityEntry[], shown: readonly ActivityEntry[]): readonly ActivityEntry[] {
  const ids = new Set(newest.map(({ id }) => id));
  const last = newest.at(-1);
  if (last === undefined || !shown.some(({ id }) => ids.has(id))) return [];
  return shown.filter(({ id, until }) => !ids.has(id) && until < last.until);
}

const peopleIn = ({ summary, activity }: HomeAnswer) => [
  ...activity.flatMap(({ actor }) => actor ?? []),
  ...summary.chart.flatMap(({ people }) => people.map(({ user }) => user)),
];
