// The session's public view from its parts. One object while nothing in it changes.
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { mayEdit as roleMayEdit } from '../../protocol/roles.ts';
import type { HeldUpdate } from '../state/held-updates.ts';
import { connectionOf, mayEdit, type State } from '../connection/machine.ts';
import type { Outbox } from '../state/outbox.ts';
import { receiptOf } from './receipt.ts';
import type { Receipt, SessionView } from './views.ts';

/** Told as they are. */
type Told =
  | 'damaged'
  | 'document'
  | 'lastSaved'
  | 'rebuilds'
  | 'retryAt'
  | 'role'
  | 'peers'
  | 'size'
  | 'upToDate'
  | 'workspace'
  | 'wrongSnapshot';

export type SessionFacts = Pick<SessionView, Told> & {
  readonly state: State;
  readonly isReady: boolean;
  readonly isClosed: boolean;
  readonly own: Outbox;
  /** Own and recovered outboxes, refused ones of this device included. */
  readonly outboxes: readonly Outbox[];
  /** Live updates that are shown, of tabs of this browser that did not send them yet. */
  readonly ofOtherTabs: readonly HeldUpdate[];
  readonly onlyInMemory: boolean;
  readonly beingStored: number;
  readonly lastTryFailed: boolean;
  /** Of the last call that failed: its detail, when its code is what the state says. */
  readonly lastError: WeftError | null;
};

/** Returns `before` when nothing in it changed. */
export function sessionView(parts: SessionFacts, before: SessionView | null): SessionView {
  const edits = parts.outboxes.reduce((sum, outbox) => sum + outbox.entries.length, 0);
  // Who may not write keeps what is theirs; what other tabs keep is said there.
  const otherTabs = parts.state.status === 'readOnly' ? [] : parts.ofOtherTabs;
  const ofOtherTabs = countEdits(otherTabs);
  const oldest = [
    ...parts.outboxes.flatMap((outbox) => outbox.entries[0]?.at ?? []),
    ...otherTabs.map(({ since }) => since),
  ];
  const unsent = { edits: edits + ofOtherTabs, oldestAt: oldest.length === 0 ? null : Math.min(...oldest) };
  const refused = parts.outboxes.find((outbox) => outbox.refused !== null);
  const receipt = receiptOf({ ...parts, unsent: edits, ofOtherTabs, isRefused: refused !== undefined });
  const view: SessionView = {
    phase: phaseOf(parts),
    receipt,
    unsent: before !== null && sameFields(before.unsent, unsent) ? before.unsent : Object.freeze(unsent),
    lastSaved: parts.lastSaved,
    lastN: parts.own.lastN,
    ackedN: parts.own.ackedN,
    upToDate: parts.upToDate,
    connection: connectionFor(parts.state),
    retryAt: parts.retryAt,
    role: parts.role,
    editable: parts.isReady && !parts.isClosed && mayEdit(parts.state) && roleMayEdit(parts.role),
    error: refused?.refused ?? errorOf(parts, receipt),
    document: parts.document,
    workspace: parts.workspace,
    peers: parts.peers,
    rebuilds: parts.rebuilds,
    damaged: parts.damaged,
    size: parts.size,
    wrongSnapshot: parts.wrongSnapshot,
  };
  return before !== null && sameFields(before, view) ? before : Object.freeze(view);
}

/** Pieces of one tab may overlap. */
function countEdits(liveUpdates: readonly HeldUpdate[]): number {
  const upTo = new Map<SessionId, number>();
  let edits = 0;
  for (const { part } of [...liveUpdates].sort((a, b) => a.part.nFrom - b.part.nFrom)) {
    const reached = Math.max(upTo.get(part.session) ?? 0, part.nFrom - 1);
    edits += Math.max(0, part.nTo - reached);
    upTo.set(part.session, Math.max(reached, part.nTo));
  }
  return edits;
}

function phaseOf(parts: SessionFacts): SessionView['phase'] {
  if (parts.isClosed) return 'closed';
  if (parts.state.status === 'closed') return 'failed';
  return parts.isReady ? 'ready' : 'opening';
}

function errorOf(parts: SessionFacts, receipt: Receipt): WeftError | null {
  const error = receipt === 'tab' ? ONLY_IN_MEMORY : errorOfState(parts.state);
  const last = parts.lastError;
  if (error === null || last === null) return error;
  // The last failed call said it in its own words: the same code with a detail, or one the catalogue does not know.
  return last.code === error.code || (last.code === 'unknown' && error === OFFLINE.network) ? last : error;
}

function errorOfState(state: State): WeftError | null {
  switch (state.status) {
    case 'opening':
    case 'live':
    case 'reconnecting':
      return null;
    case 'offline':
      return OFFLINE[state.reason];
    case 'readOnly':
      return READ_ONLY[state.reason];
    case 'closed':
      return state.reason === 'noAccess' ? READ_ONLY.noAccess : null;
  }
}

// Constants: the view keeps its identity only if its fields do.
const ONLY_IN_MEMORY = weftError('WF012');
const READ_ONLY = {
  role: weftError('WF002'),
  oldApp: weftError('WF004'),
  noAccess: weftError('WF001'),
  refused: weftError('WF005'),
} as const;
const OFFLINE = {
  network: weftError('WF011'),
  busy: weftError('WF008'),
  signedOut: weftError('WF003'),
  noAccess: READ_ONLY.noAccess,
} as const;

function connectionFor(state: State): SessionView['connection'] {
  const connection = connectionOf(state);
  if (connection === null) return state.status === 'opening' ? 'reconnecting' : 'offline';
  // Busy is not offline: the server is there and asks for patience.
  if (connection.status === 'offline') return connection.reason === 'busy' ? 'reconnecting' : 'offline';
  return connection.status;
}

function sameFields<T extends object>(a: T, b: T): boolean {
  const keys = Object.keys(a);
  const left = new Map<string, unknown>(Object.entries(a));
  return keys.length === Object.keys(b).length && Object.entries(b).every(([key, value]) => left.get(key) === value);
}
