// A session on a Y.Doc without a server, for tests of the editor. It numbers local edits like the real one, acknowledges them
// when a test says so, and has no peers. `connect` passes whole updates between sessions, in order, as the log does.
import { blankSeed } from 'weft-document/seed.ts';
import { timerlessAwareness, setRemoteState } from 'weft-sync/live/timerless-awareness.ts';
import { parseDocumentId, parseSessionId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { InboundQueue } from 'weft-sync/session/inbound-queue.ts';
import type { Session } from 'weft-sync/session/session-api.ts';
import type { SessionView } from 'weft-sync/session/views.ts';
import { REMOTE_ORIGIN, newDoc } from 'weft-sync/updates/new-doc.ts';
import { recordRemoteDeletions } from 'weft-sync/updates/remote-deletions.ts';
import * as Y from 'yjs';
import { OPENING } from '../../../src/state/page/session-of-page.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const testUser = (n: number) => parseUserId(id(n)) ?? fail();

function fail(): never {
  throw new Error('not an id');
}

export type PageSession = Session & {
  /** As in `Session`; here a test sets it. */
  isCopyDue: boolean;
  /** As in `Session`; here a test sets it. */
  shownSeq: number;
  /** Every local edit, as the session would send it. */
  readonly localUpdates: Uint8Array[];
  /** The bytes the page has room for, and the size of the last request. */
  roomBytes: number;
  requestedBytes: number;
  historyBeganAt: number;
  setView(change: Partial<SessionView>): void;
  /** Remote edits arrive through it. */
  readonly inboundQueue: InboundQueue;
  /** Shows a remote caret, as presence and a live update would. */
  showCaret(key: number, user: number, cursor: unknown): void;
};

let sessions = 0;

export function pageSession(seed: Uint8Array = blankSeed()): PageSession {
  sessions += 1;
  const doc = newDoc(5000 + sessions);
  Y.applyUpdate(doc, seed, REMOTE_ORIGIN);
  const watchers = new Set<() => void>();
  const localUpdates: Uint8Array[] = [];
  let view: SessionView = {
    ...OPENING,
    phase: 'ready',
    receipt: 'saved',
    upToDate: true,
    connection: 'live',
    role: 'editor',
    editable: true,
  };
  const setView = (change: Partial<SessionView>) => {
    view = { ...view, ...change };
    for (const run of watchers) run();
  };
  doc.on('update', (update: Uint8Array, _origin: unknown, _doc: Y.Doc, transaction: Y.Transaction) => {
    if (!transaction.local) return;
    localUpdates.push(update);
    setView({ lastN: localUpdates.length });
  });
  const awareness = timerlessAwareness(doc);
  const inboundQueue = new InboundQueue({
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
  return {
    documentId: parseDocumentId(id(1)) ?? fail(),
    sessionId: parseSessionId(id(sessions + 100)) ?? fail(),
    user: testUser(sessions + 500),
    doc,
    awareness,
    localUpdates,
    getView: () => view,
    subscribe(run) {
      watchers.add(run);
      return () => watchers.delete(run);
    },
    setView,
    liveDiagnostics: () => ({
      withoutText: 'off',
      intervalMs: 0,
      share: 1,
      slowdowns: 0,
      topicMode: 'live',
      others: 0,
      isListed: true,
      shownLive: 0,
      shownByRow: 0,
      waiting: 0,
    }),
    /** Stores the size of the last request. */
    mayGrow(bytes) {
      this.requestedBytes = bytes;
      return bytes <= this.roomBytes;
    },
    requestedBytes: 0,
    roomBytes: Infinity,
    present() {},
    stopPresenting() {},
    setStance() {},
    retry() {},
    inboundQueue,
    pauseRemote: (ms) => inboundQueue.pause(ms),
    onBeforeRemote: (run) => inboundQueue.onBefore(run),
    unsentFile: () => new Uint8Array(Y.mergeUpdates(localUpdates)),
    historyBeganAt: 0,
    isCopyDue: false,
    shownSeq: 1,
    async close() {
      doc.destroy();
    },
    showCaret(key, user, cursor) {
      const session = id(key);
      setRemoteState(awareness, 2 ** 32 + key, cursor === null ? null : { cursor, session, user: testUser(user) });
    },
  };
}

/** Passes each session's edits to the others. While offline the edits wait. */
export function connect(...sessions: readonly PageSession[]) {
  let online = true;
  let waiting: (() => void)[] = [];
  for (const from of sessions) {
    from.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === REMOTE_ORIGIN) return;
      for (const to of sessions) {
        if (to === from) continue;
        const deliver = () =>
          Y.transact(
            to.doc,
            (transaction) => {
              const { ds } = Y.decodeUpdate(update);
              recordRemoteDeletions(transaction, [{ by: from.sessionId, deletes: ds.clients }]);
              Y.applyUpdate(to.doc, update, REMOTE_ORIGIN);
            },
            REMOTE_ORIGIN,
            false,
          );
        const arrive = () => to.inboundQueue.deliver(deliver);
        if (online) arrive();
        else waiting.push(arrive);
      }
    });
  }
  return {
    offline() {
      online = false;
    },
    online() {
      online = true;
      const all = waiting;
      waiting = [];
      for (const deliver of all) deliver();
    },
  };
}
