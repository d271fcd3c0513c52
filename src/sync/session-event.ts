// Every event that a part of a session reports. Events go up to the one switch in session.ts, so a part knows neither
// who reports the other events nor what follows from its own.
import type { Effect } from './connection/machine.ts';
import type { RightsEvent } from './connection/rights.ts';
import type { LostReason } from './ports.ts';
import type { BesideMessage } from './protocol/beside.ts';
import type { WeftError } from './protocol/errors.ts';
import type { SessionId } from './protocol/ids.ts';
import type { LiveUpdate } from './protocol/live-update.ts';
import type { AppendAnswer, RowsAnswer } from './protocol/log-answers.ts';
import type { PresentingMessage } from './protocol/presenting.ts';
import type { Part, RowMessage } from './protocol/row.ts';
import type { DocumentEvent } from './state/document-event.ts';
import type { Outbox } from './state/outbox.ts';

/** Effects with a timer stay in the machine's runner. */
export type SessionEffect = Exclude<
  Effect,
  { readonly type: 'startRetry' | 'stopRetry' | 'startHeadCheck' | 'stopHeadCheck' }
>;

type MachineEvent =
  | SessionEffect
  /** The machine has handled an event, effects included. `cameLive`: calls and topic work again. */
  | { readonly type: 'machineStepped'; readonly cameLive: boolean };

type LogEvent =
  | { readonly type: 'appendAnswered'; readonly outbox: Outbox; readonly answer: AppendAnswer }
  | { readonly type: 'relayAnswered'; readonly answer: AppendAnswer }
  /** `start_session` was answered: the server holds this outbox's edits up to `lastN`. */
  | { readonly type: 'sessionRegistered'; readonly outbox: Outbox; readonly lastN: number }
  /** `requestStamp`: from the moment the rows were asked for. */
  | { readonly type: 'rowsFetched'; readonly answer: RowsAnswer; readonly requestStamp: number }
  | { readonly type: 'callFailed'; readonly error: WeftError };

type LiveEvent =
  | { readonly type: 'topicJoined' }
  | { readonly type: 'topicLost'; readonly reason: LostReason; readonly detail: string }
  /** The database says that the topic has another name now. */
  | { readonly type: 'topicMoved' }
  | { readonly type: 'rowsPublished'; readonly message: RowMessage }
  | { readonly type: 'peersChanged' }
  /** The database has named the people behind the sessions on the topic. */
  | { readonly type: 'sessionsNamed' }
  | { readonly type: 'liveUpdateReceived'; readonly update: LiveUpdate }
  /** The database says who presents, and where. */
  | { readonly type: 'presentingSaid'; readonly message: PresentingMessage }
  /** The database says who writes in a text beside the page. */
  | { readonly type: 'besideSaid'; readonly message: BesideMessage }
  /** The user follows the presenter, or declines. */
  | { readonly type: 'stanceChanged' }
  | { readonly type: 'caretMoved' }
  /** The caret is to be shown to the others, who do not know this session. */
  | { readonly type: 'caretUnregistered' }
  /** Live updates of these sessions, up to these numbers, have to leave the view. */
  | { readonly type: 'liveUpdatesDropped'; readonly upTo: ReadonlyMap<SessionId, number> }
  /** Another tab of this browser posted edits; what they build on may come later. */
  | { readonly type: 'tabPosted'; readonly edits: readonly Part[]; readonly dependencies: readonly Part[] }
  /** Another tab of this browser has the rows up to here. */
  | { readonly type: 'tabIsAhead'; readonly seq: number };

/** `state.doc` is another document now. */
type RebuildEvent = { readonly type: 'documentReplaced' };

type SnapshotEvent =
  /** SN7: the snapshot that this device stores does not say what the log says. */
  | { readonly type: 'snapshotFoundWrong'; readonly seq: number }
  /** SN8: the device holds a right one by now, so the document can be rebuilt from it. */
  | { readonly type: 'snapshotCorrected' };

export type SessionEvent =
  | DocumentEvent
  | RightsEvent
  | MachineEvent
  | LogEvent
  | LiveEvent
  | RebuildEvent
  | SnapshotEvent
  /** Something that only the view shows has changed. */
  | { readonly type: 'viewChanged' };

export type Emit = (event: SessionEvent) => void;
