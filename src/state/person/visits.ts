// This person's visits of each page, for the unread marks of their lists and the changes since a visit. Visits wait on this
// device while the server does not answer, so that a page that was read offline counts as read on every device later.
import { type Atom, atom } from 'jotai/vanilla';
import { isTemporary } from 'weft-sync/protocol/errors.ts';
import { type DocumentId, parseDocumentId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../lib/cancel.ts';
import type { ListCache } from '../../ports/device.ts';
import type { Home } from '../../ports/workspace.ts';
import type { Visit } from '../../protocol/home-answers.ts';
import type { Timing } from '../offline/cached-list.ts';
import type { AtomStore } from '../store.ts';

/** `seenAt` is by this device's clock. */
export type Seen = Omit<Visit, 'before'>;

export interface Visits {
  /** Pages that were seen here without the server knowing it yet. */
  readonly waitingAtom: Atom<ReadonlySet<DocumentId>>;
  /**
   * The page is on the screen and shows every row up to `seq`. The server learns of the first call at once and of later ones
   * at most twice a minute.
   */
  readonly see: (document: DocumentId, seq: number) => void;
  /**
   * The person's visit before the page is opened now, on any device; null if there was none. Ask before `see`. Does not
   * resolve while the server is away.
   */
  readonly lastVisit: (document: DocumentId) => Promise<Seen | null>;
  /** The person leaves the page: the server learns at once what they saw last. */
  readonly leave: (document: DocumentId) => void;
  /** Sends what waits, because the server may answer again. */
  readonly sendAll: () => void;
  readonly close: () => void;
}

const SEND_EVERY_MS = 30_000;
const CACHE_KEY = 'visits';

type VisitsOptions = {
  readonly store: AtomStore;
  readonly home: Pick<Home, 'markVisited'>;
  readonly listCache: ListCache;
  readonly timing: Timing;
  /** Runs when the server knows of a visit. `seenAt` is by this device's clock. */
  readonly onVisited: (document: DocumentId, seenAt: number) => void;
};

export function visits(options: VisitsOptions): Visits {
  const { store, home, listCache, timing } = options;
  const waitingAtom = atom<ReadonlySet<DocumentId>>(new Set<DocumentId>());
  /** The newest row that was shown, for pages whose visit the server does not know yet. */
  const waiting = new Map<DocumentId, number>();
  const knownToServer = new Map<DocumentId, number>();
  const pauses = new Map<DocumentId, Cancel>();
  /** The newest visit that the server has confirmed to this tab. */
  const confirmed = new Map<DocumentId, Seen>();
  const asked = new Map<DocumentId, PromiseWithResolvers<Seen | null>>();
  let closed = false;

  const save = () => {
    store.set(waitingAtom, new Set(waiting.keys()));
    void listCache.save(CACHE_KEY, Array.from(waiting));
  };
  const send = async (document: DocumentId) => {
    const seq = waiting.get(document);
    if (closed || seq === undefined) return;
    pauses.get(document)?.();
    const sendLater = () => {
      pauses.delete(document);
      void send(document);
    };
    pauses.set(document, timing.after(SEND_EVERY_MS, sendLater));
    const answer = await home.markVisited(document, seq);
    // After any other error the page is not there for this person.
    if (!answer.ok && isTemporary(answer.error)) return;
    knownToServer.set(document, seq);
    if (closed) return;
    if (answer.ok) {
      const { before, ...visit } = answer.value;
      asked.get(document)?.resolve(before);
      // Later answers name visits of this opening.
      asked.delete(document);
      confirmed.set(document, visit);
      options.onVisited(document, visit.seenAt);
    }
    if (waiting.get(document) !== seq) return;
    waiting.delete(document);
    save();
  };
  const sendAll = () => {
    for (const document of waiting.keys()) void send(document);
  };

  void listCache.load(CACHE_KEY).then((stored) => {
    for (const [document, seq] of parseVisits(stored)) {
      if (!knownToServer.has(document)) waiting.set(document, Math.max(seq, waiting.get(document) ?? 0));
    }
    store.set(waitingAtom, new Set(waiting.keys()));
    for (const document of waiting.keys()) if (!pauses.has(document)) void send(document);
  });

  return {
    waitingAtom,
    see(document, seq) {
      // A lower one counts too: a copy of before is on the screen, or the server was restored from an earlier state.
      if (seq === (waiting.get(document) ?? knownToServer.get(document) ?? 0)) return;
      waiting.set(document, seq);
      save();
      if (!pauses.has(document)) void send(document);
    },
    async lastVisit(document) {
      const visit = confirmed.get(document);
      if (visit !== undefined && pauses.has(document)) return visit;
      // They may have been here on another device since: the next `see` asks the server, even without new rows.
      knownToServer.delete(document);
      const waits = asked.get(document) ?? Promise.withResolvers<Seen | null>();
      asked.set(document, waits);
      return waits.promise;
    },
    leave: (document) => void send(document),
    sendAll,
    close() {
      closed = true;
      for (const stop of pauses.values()) stop();
    },
  };
}

function parseVisits(stored: unknown): readonly (readonly [DocumentId, number])[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown) => {
    const [id, seq]: readonly unknown[] = Array.isArray(entry) ? entry : [];
    const document = typeof id === 'string' ? parseDocumentId(id) : null;
    return document !== null && typeof seq === 'number' ? [[document, seq] as const] : [];
  });
}
