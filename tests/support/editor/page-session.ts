// A session over a Y.Doc for tests of the editor: numbers own edits as the real one does, holds acknowledgements back
// when asked, knows nobody. `connect` joins two as rows mode does: whole updates, in order, both ways.
import * as Y from 'yjs';
import { blankSeed } from '../../../src/document/seed.ts';
import { parseDocumentId, parseSessionId, parseUserId } from '../../../src/protocol/ids.ts';
import { OPENING } from '../../../src/state/page/open-page.ts';
import { InboundQueue } from '../../../src/sync/session/inbound-queue.ts';
import { REMOTE_ORIGIN, newDoc } from '../../../src/sync/updates/new-doc.ts';
import { timerlessAwareness, setRemoteState } from '../../../src/sync/live/timerless-awareness.ts';
import type { Session } from '../../../src/sync/session/session-api.ts';
import { recordRemoteDeletions } from '../../../src/sync/updates/remote-deletions.ts';
import type { SessionView } from '../../../src/sync/session/views.ts';

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const testUser = (n: number) => parseUserId(id(n)) ?? fail();

function fail(): never {
  throw new Error('not an id');
}

export type PageSession = Session & {
  /** What it says after closing. */
  isCopyDue: boolean;
  /** Every own edit, as the session would send it. */
  readonly own: Uint8Array[];
  /** Bytes that the page says it has room for, and what it was last asked for. */
  room: number;
  asked: number;
  setView(change: Partial<SessionView>): void;
  /** Others' edits come through it. */
  readonly gate: InboundQueue;
  /** Shows somebody's caret, as the roster and a frame would. */
  showCaret(key: number, user: number, cursor: unknown): void;
};

let sessions = 0;

export function pageSession(seed: Uint8Array = blankSeed()): PageSession {
  sessions += 1;
  const doc = newDoc(5000 + sessions);
  Y.applyUpdate(doc, seed, REMOTE_ORIGIN);
  const watchers = new Set<() => void>();
  const own: Uint8Array[] = [];
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
    own.push(update);
    setView({ lastN: own.length });
  });
  const awareness = timerlessAwareness(doc);
  const gate = new InboundQueue({
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
    own,
    getView: () => view,
    subscribe(run) {
      watchers.add(run);
      return () => watchers.delete(run);
    },
    setView,
    /** Of the last growth asked for. */
    mayGrow(bytes) {
      this.asked = bytes;
      return bytes <= this.room;
    },
    asked: 0,
    room: Infinity,
    retry() {},
    gate,
    pauseRemote: (ms) => gate.pause(ms),
    onBeforeRemote: (run) => gate.onBefore(run),
    unsentFile: () => new Uint8Array(Y.mergeUpdates(own)),
    isCopyDue: false,
    async close() {
      doc.destroy();
    },
    showCaret(key, user, cursor) {
      const session = id(key);
      setRemoteState(awareness, 2 ** 32 + key, cursor === null ? null : { cursor, session, user: testUser(user) });
    },
  };
}

/** Joins documents; while `online` is false what they write waits. */
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
        const arrive = () => to.gate.deliver(deliver);
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
