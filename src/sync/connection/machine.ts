// The state machine of a document session: what follows from each event. It knows no clock, no network and no document.
// `maySend` says whether appends may go out; the runner performs the effects.
import type { WeftError } from '../protocol/errors.ts';

type Code = WeftError['code'];

/** The state of topic and calls, independent of what the user may write. */
export type Connection =
  /** The topic is joined and calls work. */
  | { readonly status: 'live'; readonly attempt: number }
  /** Calls work and the topic is not joined: waiting for the next try, asking for the epoch, or joining. */
  | {
      readonly status: 'reconnecting';
      readonly attempt: number;
      readonly doing: 'waiting' | 'opening' | 'joining';
      /** `open`: the epoch may have changed, so ask for it first. */
      readonly via: 'open' | 'join';
    }
  /** Calls do not work. The topic may still be joined and bring rows. */
  | {
      readonly status: 'offline';
      readonly reason: OfflineReason;
      readonly attempt: number;
      /** The state of the topic. `joining`: it waits for a connection (SY22). */
      readonly topic: OfflineTopic;
      /** The open call is in flight. */
      readonly calling: boolean;
    };

type OfflineTopic = 'left' | 'joining' | 'joined';
export type OfflineReason = 'network' | 'busy' | 'signedOut' | 'noAccess';
export type ReadOnlyReason = 'role' | 'oldApp' | 'noAccess' | 'refused';

export type State =
  | { readonly status: 'opening' }
  | Connection
  | { readonly status: 'readOnly'; readonly reason: ReadOnlyReason; readonly connection: Connection }
  | { readonly status: 'closed'; readonly reason: 'asked' | 'noAccess' };

/** This user's rights according to an answer. `newer`: a newer app wrote the page. */
export type Access = 'edit' | 'read' | 'newer';

export type Event =
  /** `moved`: the epoch is not the one of the joined topic. */
  | { readonly type: 'opened'; readonly access: Access; readonly moved: boolean }
  | { readonly type: 'openFailed'; readonly code: Code }
  | { readonly type: 'joined' }
  | { readonly type: 'linkLost'; readonly reason: 'denied' | 'closed' | 'disconnected' }
  /** An append or a fetch succeeded. */
  | { readonly type: 'answered'; readonly access: 'edit' | 'read'; readonly moved: boolean }
  | { readonly type: 'callFailed'; readonly code: Code }
  /** An outbox that is shown can never be saved: nothing that builds on it may be written (D8, WF005, WF006). */
  | { readonly type: 'outboxRefused' }
  | { readonly type: 'moved' }
  | { readonly type: 'retryDue' }
  | { readonly type: 'headCheckDue' }
  | { readonly type: 'cameOnline' }
  | { readonly type: 'wentOffline' }
  | { readonly type: 'cameBack' }
  | { readonly type: 'wentHidden' }
  | { readonly type: 'retryAsked' }
  | { readonly type: 'closeAsked' };

export type Wait = { readonly kind: 'backoff'; readonly attempt: number } | { readonly kind: 'move' };

export type Effect =
  | { readonly type: 'callOpen' }
  | { readonly type: 'joinTopic' }
  | { readonly type: 'leaveTopic' }
  | { readonly type: 'checkHead' }
  | { readonly type: 'send' }
  | { readonly type: 'sendWhileHidden' }
  | { readonly type: 'startRetry'; readonly wait: Wait }
  | { readonly type: 'stopRetry' }
  | { readonly type: 'startHeadCheck' }
  | { readonly type: 'stopHeadCheck' };

type Step<S> = readonly [S, readonly Effect[]];

export const START: Step<State> = [{ status: 'opening' }, [{ type: 'callOpen' }]];

/** Whether appends may go out now. */
export const maySend = (state: State): boolean => state.status === 'live' || state.status === 'reconnecting';

/**
 * Whether the user may type once the page is shown. Edits made offline or before the first answer wait on the device.
 */
export const mayEditIn = (state: State): boolean => state.status !== 'readOnly' && state.status !== 'closed';

/** The page has a newer schema than this app: no change of it in this tab is an edit. */
export const isOldApp = (state: State): boolean => state.status === 'readOnly' && state.reason === 'oldApp';

export function connectionOf(state: State): Connection | null {
  switch (state.status) {
    case 'opening':
    case 'closed':
      return null;
    case 'readOnly':
      return state.connection;
    case 'live':
    case 'reconnecting':
    case 'offline':
      return state;
  }
}

export function step(state: State, event: Event): Step<State> {
  if (state.status === 'closed') return [state, []];
  if (event.type === 'closeAsked') return [{ status: 'closed', reason: 'asked' }, [stopRetry, stopHeadCheck, leave]];
  const now = connectionOf(state);
  const [connection, effects] = now === null ? stepOpening(event) : stepConnection(now, event);
  if (connection === null) return [state, effects];
  if (connection === 'noAccess') return [{ status: 'closed', reason: 'noAccess' }, effects];
  const before = state.status === 'readOnly' ? state.reason : null;
  const reason = readOnlyAfter(before, event);
  if (reason !== null) return [{ status: 'readOnly', reason, connection }, effects.filter((e) => e.type !== 'send')];
  // Edits that waited while the role was gone go out when it is back.
  const waited = before !== null && maySend(connection) && !effects.includes(send);
  return [connection, waited ? [...effects, send] : effects];
}

/** Null: the state stays "opening". */
function stepOpening(event: Event): Step<Connection | null | 'noAccess'> {
  switch (event.type) {
    case 'opened':
      return [joining(0), [join, startHeadCheck, send]];
    case 'openFailed':
      if (event.code === 'WF001') return ['noAccess', []];
      return [offline(reasonOf(event.code), 1, 'left'), [backoff(1)]];
    default:
      return [null, []];
  }
}

function stepConnection(now: Connection, event: Event): Step<Connection> {
  switch (now.status) {
    case 'live':
      return stepLive(now, event);
    case 'reconnecting':
      return stepReconnecting(now, event);
    case 'offline':
      return stepOffline(now, event);
  }
}

function stepLive(now: Connection & { status: 'live' }, event: Event): Step<Connection> {
  const { attempt } = now;
  switch (event.type) {
    case 'linkLost': {
      const next = waiting(attempt + 1, event.reason === 'denied' ? 'open' : 'join');
      return [next, [backoff(attempt + 1), startHeadCheck]];
    }
    case 'moved':
      return [waiting(attempt, 'open'), [leave, startMove, startHeadCheck]];
    case 'opened':
    case 'answered':
      return event.moved ? [waiting(attempt, 'open'), [leave, startMove, startHeadCheck]] : [now, []];
    case 'openFailed':
    case 'callFailed':
      return failed(now, event.code, attempt + 1, 'joined');
    case 'wentOffline':
      return [offline('network', attempt + 1, 'joined'), [backoff(attempt + 1), stopHeadCheck]];
    case 'headCheckDue':
      // Earlier failures are forgiven only after a whole interval without trouble. Otherwise a channel that the server
      // closes at its first message (rate limit) would be joined again every second.
      return [{ status: 'live', attempt: 0 }, [check, startHeadCheck]];
    case 'cameOnline':
    case 'cameBack':
    case 'retryAsked':
      return [now, [check, send]];
    case 'wentHidden':
      return [now, [sendWhileHidden]];
    case 'joined':
    case 'retryDue':
    case 'outboxRefused':
    case 'closeAsked':
      return [now, []];
  }
}

function stepReconnecting(now: Connection & { status: 'reconnecting' }, event: Event): Step<Connection> {
  const { attempt } = now;
  const again = (): Step<Connection> =>
    now.via === 'open'
      ? [{ ...now, doing: 'opening' }, [stopRetry, open]]
      : [{ ...now, doing: 'joining' }, [stopRetry, join, check]];
  switch (event.type) {
    case 'retryDue':
      return now.doing === 'waiting' ? again() : [now, []];
    case 'cameOnline':
    case 'cameBack':
    case 'retryAsked': {
      if (now.doing !== 'waiting') return [now, [send]];
      const [next, effects] = again();
      return [next, [...effects, send]];
    }
    case 'opened':
      return [joining(attempt), [stopRetry, join, send]];
    case 'joined':
      return [{ status: 'live', attempt }, [stopRetry, check, startHeadCheck]];
    case 'linkLost':
      return [waiting(attempt + 1, event.reason === 'denied' ? 'open' : 'join'), [backoff(attempt + 1)]];
    case 'moved':
      return moveWhileReconnecting(now);
    case 'answered':
      return event.moved ? moveWhileReconnecting(now) : [now, []];
    case 'openFailed':
    case 'callFailed':
    case 'wentOffline': {
      const code = event.type === 'wentOffline' ? 'WF011' : event.code;
      const [next, effects] = failed(now, code, attempt + 1, now.doing === 'joining' ? 'joining' : 'left');
      // Before a join that asks for the epoch first, the topic's name may be an old one.
      if (next.status !== 'offline' || next.topic !== 'left' || now.via === 'open' || !awaitsServer(next))
        return [next, effects];
      return [{ ...next, topic: 'joining' }, [...effects, join]];
    }
    case 'headCheckDue':
      return [now, [check, startHeadCheck]];
    case 'wentHidden':
      return [now, [sendWhileHidden]];
    case 'outboxRefused':
    case 'closeAsked':
      return [now, []];
  }
}

/** If the call for the epoch is due or under way, another answer that says "moved" must not restart the wait. */
function moveWhileReconnecting(now: Connection & { status: 'reconnecting' }): Step<Connection> {
  if (now.via === 'open' && now.doing !== 'joining') return [now, []];
  return [waiting(now.attempt, 'open'), [leave, startMove]];
}

function stepOffline(now: Connection & { status: 'offline' }, event: Event): Step<Connection> {
  const calling: Connection = { ...now, calling: true };
  switch (event.type) {
    case 'retryDue':
    case 'cameBack':
    case 'retryAsked':
    // A call in flight succeeded, so calls work again. Open at once instead of waiting for the timer.
    case 'answered':
      return now.calling ? [now, []] : [calling, [stopRetry, open]];
    // SY22: the connection is new. A call from before may get no answer, and end only with its timeout.
    case 'cameOnline':
      return [calling, [stopRetry, open]];
    case 'joined':
      return [{ ...calling, topic: 'joined' }, [stopRetry, open]];
    case 'opened':
      if (now.topic === 'joining' && !event.moved) return [joining(now.attempt), [stopRetry, startHeadCheck, send]];
      if (now.topic === 'joined' && !event.moved)
        return [{ status: 'live', attempt: now.attempt }, [stopRetry, startHeadCheck, send]];
      return [joining(now.attempt), [stopRetry, leave, join, startHeadCheck, send]];
    case 'openFailed':
      if (event.code === 'WF001') return [offline('noAccess', now.attempt, 'left'), [stopRetry, leave]];
      return [offline(reasonOf(event.code), now.attempt + 1, now.topic), [backoff(now.attempt + 1)]];
    case 'callFailed':
      if (event.code === 'WF001') return [offline('noAccess', now.attempt, 'left'), [stopRetry, leave]];
      return [event.code === 'WF003' ? { ...now, reason: 'signedOut' } : now, []];
    case 'linkLost':
      // Also a join that was on its way: it got no answer, or its connection was lost again.
      return now.topic !== 'left' && event.reason === 'disconnected' && awaitsServer(now)
        ? [{ ...now, topic: 'joining' }, [join]]
        : [{ ...now, topic: 'left' }, []];
    case 'moved':
      return [{ ...now, topic: 'left' }, [leave]];
    case 'headCheckDue':
    case 'wentOffline':
    case 'wentHidden':
    case 'outboxRefused':
    case 'closeAsked':
      return [now, []];
  }
}

/** A call failed although calls were believed to work. */
function failed(now: Connection, code: Code, attempt: number, topic: OfflineTopic): Step<Connection> {
  switch (code) {
    case 'WF001':
      return [offline('noAccess', attempt, 'left'), [stopRetry, stopHeadCheck, leave]];
    // The role has changed or the app is too old: the call itself worked.
    case 'WF002':
    case 'WF004':
      return [now, []];
    default:
      return [offline(reasonOf(code), attempt, topic), [backoff(attempt), stopHeadCheck]];
  }
}

/**
 * Calls fail because the server is away. The topic is joined all the same (SY22): the join waits for a connection, and
 * so reports the server's return before the next call is due.
 */
const awaitsServer = (now: Connection): boolean =>
  now.status === 'offline' && (now.reason === 'network' || now.reason === 'busy');

/** Why calls that fail like this are not worth a try at once. Busy: the server is there, and the same call may succeed later. */
export function reasonOf(code: Code): OfflineReason {
  if (code === 'WF003') return 'signedOut';
  return code === 'WF008' || code === 'WF018' || code === 'WF019' ? 'busy' : 'network';
}

/** Permanent reasons (an old app, a refused outbox) outweigh those that an answer can take back (role, access). */
function readOnlyAfter(before: ReadOnlyReason | null, event: Event): ReadOnlyReason | null {
  if (event.type === 'outboxRefused' || before === 'refused') return 'refused';
  if (before === 'oldApp') return 'oldApp';
  switch (event.type) {
    case 'opened':
      return event.access === 'newer' ? 'oldApp' : event.access === 'read' ? 'role' : null;
    case 'answered':
      // Only an open call can say that access is back.
      return before === 'noAccess' ? before : event.access === 'read' ? 'role' : null;
    case 'openFailed':
    case 'callFailed':
      if (event.code === 'WF001') return 'noAccess';
      // The answer to a call from before access ended: without access nothing asks again by itself.
      if (event.code === 'WF002') return before === 'noAccess' ? before : 'role';
      return event.code === 'WF004' ? 'oldApp' : before;
    default:
      return before;
  }
}

const joining = (attempt: number): Connection => ({ status: 'reconnecting', attempt, doing: 'joining', via: 'join' });
const waiting = (attempt: number, via: 'open' | 'join'): Connection => ({
  status: 'reconnecting',
  attempt,
  doing: 'waiting',
  via,
});
const offline = (reason: OfflineReason, attempt: number, topic: OfflineTopic): Connection => ({
  status: 'offline',
  reason,
  attempt,
  topic,
  calling: false,
});
const open: Effect = { type: 'callOpen' };
const join: Effect = { type: 'joinTopic' };
const leave: Effect = { type: 'leaveTopic' };
const check: Effect = { type: 'checkHead' };
const send: Effect = { type: 'send' };
const sendWhileHidden: Effect = { type: 'sendWhileHidden' };
const stopRetry: Effect = { type: 'stopRetry' };
const startHeadCheck: Effect = { type: 'startHeadCheck' };
const stopHeadCheck: Effect = { type: 'stopHeadCheck' };
const startMove: Effect = { type: 'startRetry', wait: { kind: 'move' } };
const backoff = (attempt: number): Effect => ({ type: 'startRetry', wait: { kind: 'backoff', attempt } });
