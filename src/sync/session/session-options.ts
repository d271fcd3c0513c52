// The options of a session, and the context for its parts that is made of them.
import type { Awareness } from 'y-protocols/awareness';
import { ConnectionState } from '../connection/connection-state.ts';
import { Presence } from '../connection/presence.ts';
import { Rights } from '../connection/rights.ts';
import { LIVE_BUDGET } from '../live/live-pace.ts';
import { timerlessAwareness } from '../live/timerless-awareness.ts';
import { MAX_ON_LIVE } from '../live/topic-mode.ts';
import type { ReadText } from '../log/text-copy.ts';
import type { Ports } from '../ports.ts';
import type { DocumentId, UserId } from '../protocol/ids.ts';
import type { SessionContext } from '../session-context.ts';
import type { Emit } from '../session-event.ts';
import { unpackSnapshot } from '../snapshot/unpack-snapshot.ts';
import { DocumentState } from '../state/document-state.ts';
import { DocumentStore } from '../state/document-store.ts';
import { newDoc, randomClientId } from '../updates/new-doc.ts';
import type { PageLimits } from './page-size.ts';

export type SessionOptions = {
  readonly user: UserId;
  readonly ports: Ports;
  /** The newest schema this app understands. */
  readonly schemaVersion: number;
  /** False: text travels by rows of the log alone. Others see it later, and it costs less of the live budget. */
  readonly liveUpdates?: boolean;
  /**
   * Messages per second that this page may cause, sent and delivered ones, while people write on this many pages of the
   * project. Everyone who writes on this page has the same part of them. Left out: `LIVE_BUDGET`.
   */
  readonly liveBudget?: (busyPages: number) => number;
  /** Reads title, text and mentions when a text copy is due (SY16). Left out: nothing is copied. */
  readonly readText?: ReadText;
  /** Tests pass smaller limits. */
  readonly pageLimits?: PageLimits;
  /** Readers leave the live topic when more sessions than this are on it. Left out: 8. */
  readonly maxOnLive?: number;
};

export function createContext(
  documentId: DocumentId,
  options: SessionOptions,
  ports: Ports,
  emit: Emit,
): SessionContext & { readonly awareness: Awareness } {
  const { user, schemaVersion, liveUpdates = true, liveBudget = () => LIVE_BUDGET, maxOnLive = MAX_ON_LIVE } = options;
  const { clock, random } = ports;
  const sessionId = random.session();
  const awareness = timerlessAwareness(newDoc(randomClientId(() => random.next())));
  const unpack = ports.snapshots?.unpack ?? unpackSnapshot;
  const store = new DocumentStore(ports.store, documentId, schemaVersion, emit);
  const state = new DocumentState(sessionId, awareness, store, { clock, random, unpack }, emit);
  return {
    documentId,
    sessionId,
    user,
    schemaVersion,
    hasLiveUpdates: liveUpdates,
    liveBudget,
    maxOnLive,
    ports,
    unpack,
    store,
    state,
    connection: new ConnectionState(),
    rights: new Rights(emit),
    presence: new Presence({ session: sessionId, user }, (session) => state.pending.known.listedUserOf(session)),
    emit,
    awareness,
  };
}
