// Changes that the server does not have yet: as this tab shows them, and as this device stores them for all tabs.
import { atom } from 'jotai/vanilla';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { ChangeQueue } from '../../ports/device.ts';
import type { AtomStore } from '../store.ts';

export type WaitingChange = {
  readonly key: string;
  readonly madeAt: number;
  /** The server rejected it, and it waits for the person. */
  readonly refused?: WeftError['code'] | null;
};

/**
 * `onStored` runs after each write to the device that succeeded. `onGone` resolves when the lists know what other tabs did with
 * these changes.
 */
export function waitingChanges<Change extends WaitingChange>(
  store: AtomStore,
  queue: ChangeQueue<Change>,
  onStored: () => void,
  onGone: (changes: readonly Change[]) => Promise<void>,
) {
  const changesAtom = atom<readonly Change[]>([]);
  /** Changes on their way, or answered and not yet in the lists. */
  const sent = new Set<string>();
  /** Changes whose write to the device is not confirmed, or failed. */
  const unstored = new Set<string>();
  /** Changes whose write failed: on a device that stores nothing they wait in this tab. */
  const onlyHereAtom = atom<ReadonlySet<string>>(new Set<string>());
  /** Changes that this tab removed: a read of the queue that began earlier still lists them. */
  const removed = new Set<string>();

  const shown = () => store.get(changesAtom);
  const show = (changes: readonly Change[]) => store.set(changesAtom, inOrder(changes));
  const removeStored = ({ key }: Change) => queue.remove(key).then(onStored, () => undefined);
  const put = (change: Change, replaced: readonly string[]) => {
    unstored.add(change.key);
    const failed = () => store.set(onlyHereAtom, new Set([...store.get(onlyHereAtom), change.key]));
    const stored = queue.put(change, replaced).then(() => unstored.delete(change.key));
    void stored.then(onStored, failed);
  };
  const hide = ({ key }: Change) => {
    sent.delete(key);
    show(shown().filter((change) => change.key !== key));
  };

  return {
    atom: changesAtom,
    onlyHereAtom,
    /** The changes that may be replaced or taken back: they are not on their way. */
    idle: () => shown().filter(({ key }) => !sent.has(key)),
    /** The oldest change that can be sent now. From now on it counts as on its way. */
    takeNext(isHeld: (change: Change) => boolean): Change | undefined {
      const next = shown().find((one) => !sent.has(one.key) && !one.refused && !isHeld(one));
      if (next !== undefined) sent.add(next.key);
      return next;
    },
    /** The server did not get the change. */
    putBack: ({ key }: Change) => sent.delete(key),
    removeStored,
    hide,
    /** Keeps a change that was on its way, as `kept`, which has the same key and is refused. Stored before it may be replaced. */
    async keep(kept: Change): Promise<void> {
      const change = await toKeep(queue, kept, !unstored.has(kept.key));
      if (change === null) return hide(kept);
      sent.delete(kept.key);
      if (change === kept) put(kept, []);
      show(shown().map((one) => (one.key === kept.key ? change : one)));
    },
    add(change: Change, replaced: readonly string[]): void {
      for (const key of replaced) removed.add(key);
      show([...shown().filter(({ key }) => !removed.has(key)), change]);
      put(change, replaced);
    },
    takeBack(change: Change): boolean {
      if (sent.has(change.key) || shown().every(({ key }) => key !== change.key)) return false;
      removed.add(change.key);
      hide(change);
      void removeStored(change);
      return true;
    },
    /** Reads the device again. Resolves to true if other tabs added changes. */
    async refresh(): Promise<boolean> {
      const [queued, keys] = await Promise.all([queue.list(), queue.keys()]).catch(() => []);
      if (queued === undefined || keys === undefined) return false;
      const left = queued.filter(({ key }) => !removed.has(key));
      const { kept, added, gone } = compared(shown(), left, keys, ({ key }) => sent.has(key) || unstored.has(key));
      if (added.length > 0 || kept.some((one) => !shown().includes(one))) show([...kept, ...added]);
      if (gone.length > 0) {
        for (const { key } of gone) sent.add(key);
        void onGone(gone).then(() => gone.forEach(hide));
      }
      return added.length > 0;
    },
  };
}

/**
 * What to keep of a refused change: null if another tab has replaced it meanwhile, the device's if that tab was refused the same and
 * kept newer words with it. `isStored`: the device had it.
 */
async function toKeep<Change extends WaitingChange>(
  queue: ChangeQueue<Change>,
  refused: Change,
  isStored: boolean,
): Promise<Change | null> {
  const queued = await queue.list().catch(() => null);
  if (queued === null) return refused;
  const stored = queued.find(({ key }) => key === refused.key);
  if (stored === undefined) return isStored ? null : refused;
  return stored.refused ? stored : refused;
}

/**
 * The shown changes beside those that the device has now. `keys`: also of those that can't be read. `isMine`: this tab knows
 * more about a change than the device.
 */
function compared<Change extends WaitingChange>(
  shown: readonly Change[],
  queued: readonly Change[],
  keys: ReadonlySet<string>,
  isMine: (change: Change) => boolean,
) {
  const stored = new Map(queued.map((change) => [change.key, change]));
  const known = new Set(shown.map(({ key }) => key));
  return {
    kept: shown.map((one) => {
      const now = stored.get(one.key);
      return now === undefined || isMine(one) || now.refused === one.refused ? one : now;
    }),
    added: queued.filter(({ key }) => !known.has(key)),
    /** Other tabs sent them, or took them back. */
    gone: shown.filter((one) => !keys.has(one.key) && !isMine(one)),
  };
}

const inOrder = <Change extends WaitingChange>(changes: readonly Change[]): readonly Change[] =>
  changes.toSorted((a, b) => a.madeAt - b.madeAt);
