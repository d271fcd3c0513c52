// Builds the session's public view from the state of its parts. Changes nothing.
import type { ConnectionState } from '../connection/connection-state.ts';
import { connectionOf, mayEditIn, reasonOf, type State } from '../connection/machine.ts';
import type { StageView } from '../live/stage.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { SessionId } from '../protocol/ids.ts';
import { mayEdit as roleMayEdit } from '../protocol/roles.ts';
import type { SessionContext } from '../session-context.ts';
import type { DocumentState } from '../state/document-state.ts';
import type { HeldUpdate } from '../state/held-updates.ts';
import type { Outbox } from '../state/outbox.ts';
import { sameFields } from './published-view.ts';
import { receiptOf } from './receipt.ts';
import type { ViewFacts } from './view-facts.ts';
import type { PuttingBack, Receipt, SessionView } from './views.ts';

/** `before`: fields that still hold keep their identity. */
export function sessionView(
  context: SessionContext,
  facts: ViewFacts,
  {
    retryAt,
    size,
    isSlowed,
    ...stage
  }: Pick<SessionView, 'retryAt' | 'size'> & StageView & { readonly isSlowed: boolean },
  before: SessionView | null,
): SessionView {
  const { connection, presence, rights, state, store } = context;
  const { log, pending } = state;
  const outboxes = pending.all();
  // A tab that may not write counts its own edits only; the other tabs count theirs.
  const ofOtherTabs = connection.state.status === 'readOnly' ? [] : pending.ofOtherTabs;
  const ownEdits = outboxes.reduce((sum, outbox) => sum + outbox.entries.length, 0);
  const editsOfOtherTabs = countEdits(ofOtherTabs);
  const since = [
    ...outboxes.flatMap((outbox) => outbox.entries[0]?.at ?? []),
    ...ofOtherTabs.map((update) => update.since),
  ];
  const refused = outboxes.find((outbox) => outbox.refused !== null)?.refused ?? null;
  const receipt = receiptOf({
    isReady: connection.isReady,
    state: connection.state,
    unsent: ownEdits,
    ofOtherTabs: editsOfOtherTabs,
    isRefused: refused !== null,
    onlyInMemory: store.hasOnlyInMemory,
    beingStored: store.beingStored,
    lastTryFailed: facts.lastTryFailed,
  });
  const unsent = {
    // SY13: as many as are on the device.
    edits: ownEdits + editsOfOtherTabs - (receipt === 'device' ? store.beingStored : 0),
    oldestAt: since.length === 0 ? null : Math.min(...since),
  };
  const mayType = connection.isReady && !facts.isClosing && mayEditIn(connection.state) && roleMayEdit(rights.role);
  return {
    phase: phaseOf(connection, facts),
    receipt,
    unsent: before !== null && sameFields(before.unsent, unsent) ? before.unsent : Object.freeze(unsent),
    lastSaved: facts.lastSaved,
    lastN: pending.own.lastN,
    ackedN: pending.own.ackedN,
    upToDate: log.isUpToDate,
    changedAt: log.changeTime.shown(context.ports.clock),
    connection: connectionFor(connection.state),
    retryAt,
    role: rights.role,
    editable: mayType,
    error: refused ?? errorOf(connection.state, receipt, facts.lastError),
    document: facts.document,
    peers: presence.peers,
    rebuilds: facts.rebuilds,
    damaged: log.replica.damaged,
    size,
    pace: isSlowed && mayType ? 'slowed' : 'full',
    wrongSnapshot: facts.wrongSnapshot,
    isRestoring: outboxes.some(isUnsentPutBack),
    puttingBack: puttingBack(state, before),
    ...stage,
  };
}

/** `erasing`: set aside before the history began again. No row was lost then, so it holds only unsent edits (HI9). */
function puttingBack({ log, pending }: DocumentState, before: SessionView | null): PuttingBack | null {
  const entries = pending.recovered.shown.filter(isUnsentPutBack).flatMap((outbox) => outbox.entries);
  if (entries.length === 0) return null;
  const isErased = entries.every(({ at }) => at < (log.historyBeganAt ?? 0));
  const found: PuttingBack = { after: isErased ? 'erasing' : 'restore' };
  return before?.puttingBack && sameFields(before.puttingBack, found) ? before.puttingBack : Object.freeze(found);
}

const isUnsentPutBack = ({ isEmpty, isPutBack, refused }: Outbox): boolean => isPutBack && !isEmpty && refused === null;

/** Parts of one tab may overlap. */
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

function phaseOf({ isReady, state }: ConnectionState, { isClosing }: ViewFacts): SessionView['phase'] {
  if (isClosing) return 'closed';
  if (state.status === 'closed') return 'failed';
  return isReady ? 'ready' : 'opening';
}

function errorOf(state: State, receipt: Receipt, last: WeftError | null): WeftError | null {
  const error = receipt === 'tab' ? ONLY_IN_MEMORY : errorOfState(state);
  if (error === null || last === null) return error;
  // The last failed call has the details: the same code, or a closer one.
  const isCloser =
    error === OFFLINE.network ? last.code === 'unknown' : error === OFFLINE.busy && reasonOf(last.code) === 'busy';
  return last.code === error.code || isCloser ? last : error;
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

// Constants, because the view keeps its identity only if its fields do.
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
  // Busy is not offline: the server is there and asks us to wait.
  if (connection.status === 'offline') return connection.reason === 'busy' ? 'reconnecting' : 'offline';
  return connection.status;
}
