// Sends changes that wait on this device, one after the other and oldest first, until the server has answered each.
import { type Atom, atom } from 'jotai/vanilla';
import { type WeftError, isTemporary } from 'weft-sync/protocol/errors.ts';
import { RetryTimer } from '../../lib/async/retry-timer.ts';
import type { Result } from '../../lib/result.ts';
import type { ChangeQueue } from '../../ports/device.ts';
import type { AtomStore } from '../store.ts';
import type { Timing } from './cached-list.ts';
import { type WaitingChange, waitingChanges } from './waiting-changes.ts';

/** Gives the tab that made a change the time to send it. */
const OTHERS_WAIT_MS = 3_000;

export type ChangeSenderOptions<Change, Value> = {
  readonly store: AtomStore;
  readonly queue: ChangeQueue<Change>;
  readonly timing: Timing;
  readonly call: (change: Change) => Promise<Result<Value, WeftError>>;
  /** Resolves when the lists have the server's answer. Until then the change is shown. Null: another tab has sent it. */
  readonly onSent: (change: Change, value: Value | null) => Promise<void>;
  /** Returns the change to keep for the person in its place, or null. */
  readonly onRefused: (change: Change, error: WeftError) => Change | null;
  /** Whether a change can't be sent yet. Those behind it can. */
  readonly isHeld: (change: Change) => boolean;
  /** Runs when this tab has changed the queue: other tabs should know. */
  readonly onChanged: () => void;
};

export interface ChangeSender<Change> {
  /** Oldest first. A change stays until the lists have it. */
  readonly atom: Atom<readonly Change[]>;
  /** The keys of changes that the device could not store. */
  readonly onlyHereAtom: Atom<ReadonlySet<string>>;
  /** The last try failed, and the next one waits. */
  readonly isFailingAtom: Atom<boolean>;
  /** The changes that are not on their way: they may be replaced. */
  readonly idle: () => readonly Change[];
  /** Shows the change, stores it in place of `replaced`, and sends it. */
  readonly add: (change: Change, replaced: readonly Change[]) => void;
  /** Takes a change back that the server does not have yet. Returns false if it is on its way, or no longer here. */
  readonly takeBack: (change: Change) => boolean;
  /** Resolves when the server has answered a change and the lists have the answer, or it was replaced. */
  readonly settled: (change: Change) => Promise<void>;
  /** Sends what waits. */
  readonly sendAll: () => void;
  /** Reads the queue again, because another tab may have changed it. */
  readonly refresh: () => Promise<void>;
  readonly close: () => void;
}

export function changeSender<Change extends WaitingChange, Value>(
  options: ChangeSenderOptions<Change, Value>,
): ChangeSender<Change> {
  const { store, queue, call, onSent, onRefused, isHeld, onChanged } = options;
  const waiting = waitingChanges(store, queue, onChanged, async (gone) => {
    await Promise.all(gone.map((change) => onSent(change, null)));
  });
  const isFailingAtom = atom(false);
  // Read again first: another tab may have replaced meanwhile what is to be sent, and its words are the newer ones.
  const retries = new RetryTimer(options.timing, () => void refresh().then(sendAll));
  let isSending = false;
  let closed = false;

  /** Returns false if it has to be sent again. */
  const send = async (change: Change): Promise<boolean> => {
    const answer = await call(change);
    if (closed) return true;
    // Any other error is an answer: the server does not want this change, and trying again would hold up those behind it.
    if (!answer.ok && isTemporary(answer.error)) {
      waiting.putBack(change);
      return false;
    }
    const kept = answer.ok ? null : onRefused(change, answer.error);
    if (kept !== null) {
      await waiting.keep(kept);
      return true;
    }
    await waiting.removeStored(change);
    if (answer.ok) await onSent(change, answer.value);
    waiting.hide(change);
    return true;
  };

  const sendAll = async () => {
    if (isSending || closed) return;
    isSending = true;
    retries.cancel();
    try {
      for (;;) {
        const next = closed ? undefined : waiting.takeNext(isHeld);
        if (next === undefined) return;
        const isAnswered = await send(next);
        store.set(isFailingAtom, !isAnswered);
        if (!isAnswered) return retries.failed();
        retries.succeeded();
      }
    } finally {
      isSending = false;
    }
  };

  const refresh = async () => {
    if ((await waiting.refresh()) && !closed) retries.runLater(OTHERS_WAIT_MS);
  };
  void refresh().then(sendAll);

  return {
    atom: waiting.atom,
    onlyHereAtom: waiting.onlyHereAtom,
    isFailingAtom,
    idle: waiting.idle,
    add(change, replaced) {
      const keys = replaced.map(({ key }) => key);
      waiting.add(change, keys);
      void sendAll();
    },
    takeBack: (change) => waiting.takeBack(change),
    settled: ({ key }) => whenGone(store, waiting.atom, key),
    sendAll: () => void sendAll(),
    refresh,
    close() {
      closed = true;
      retries.cancel();
    },
  };
}

/** Resolves when the change is not shown any more. */
async function whenGone(store: AtomStore, changes: Atom<readonly WaitingChange[]>, gone: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => store.get(changes).some(({ key }) => key === gone) || resolve();
  const stop = store.sub(changes, check);
  check();
  await promise;
  stop();
}
