// Opens the page: shows first the device's copy, then the answer of the open call. Decides when the editor may bind
// (SY1).
import type { Cancel } from '../../lib/cancel.ts';
import type { Access } from '../connection/machine.ts';
import type { StoredDocument } from '../ports.ts';
import type { OpenAnswer } from '../protocol/log-answers.ts';
import { type DocumentRole, mayEdit } from '../protocol/roles.ts';
import type { SetAside } from '../recovery/set-aside.ts';
import type { SessionContext } from '../session-context.ts';
import { Outbox } from '../state/outbox.ts';
import { takeLock } from '../state/recovered-outboxes.ts';
import type { SessionParts } from './session-parts.ts';
import type { ViewFacts } from './view-facts.ts';

/** A page that the device holds is shown after this long without an answer. */
export const OPEN_PATIENCE_MS = 1_000;

export class Opening {
  readonly #context: SessionContext;
  readonly #parts: SessionParts;
  readonly #facts: ViewFacts;
  readonly #setAside: SetAside | null;
  #releaseOwnLock: Cancel | null = null;
  #patience: Cancel | null = null;
  /** The device holds the page, in a schema this app understands. */
  #isStored = false;
  #isPatienceOver = false;
  /** Head of the first open answer: everything up to it must be here before the editor binds. */
  #target: number | null = null;
  /** Open calls are numbered. */
  #lastCall = 0;
  /** Calls up to this one no longer count. */
  #settledCall = 0;

  constructor(context: SessionContext, parts: SessionParts, facts: ViewFacts, setAside: SetAside | null) {
    this.#context = context;
    this.#parts = parts;
    this.#facts = facts;
    this.#setAside = setAside;
  }

  /** Shows the device's copy, and starts the machine. */
  async start(): Promise<void> {
    const { emit, ports, rights, schemaVersion, sessionId, state } = this.#context;
    const { machine, recovery } = this.#parts;
    // The own lock first: no other tab may recover what this one is about to write.
    this.#releaseOwnLock = await takeLock(ports.locks, sessionId);
    const stored = await state.pending.recovered.recover(ports.locks);
    rights.restore(await state.restore(await this.#afterSetAside(stored)));
    if (this.#facts.isClosing) return;
    // WF004: a page of a newer app is not shown before the open call has made it read-only.
    this.#isStored = rights.role !== null && state.log.schemaVersion <= schemaVersion;
    if (this.#isStored) {
      this.#patience = ports.clock.after(OPEN_PATIENCE_MS, () => {
        this.#isPatienceOver = true;
        emit({ type: 'viewChanged' });
      });
    }
    machine.start();
    emit({ type: 'viewChanged' });
    recovery.start();
  }

  async callOpen(): Promise<void> {
    const { documentId, emit, ports, state } = this.#context;
    const { machine } = this.#parts;
    const requestStamp = state.pending.recovered.requestStamp();
    const call = ++this.#lastCall;
    const { at, seq } = state.log;
    const answer = await ports.log.open(documentId, seq, at);
    // With several calls under way (SY22), the first answer counts, or the failure of the last call.
    if (this.#facts.isClosing || call <= this.#settledCall || (!answer.ok && call < this.#lastCall)) return;
    this.#settledCall = this.#lastCall;
    // HI1: no one can tell whether the log has this row. A page that was made on this device has row 1 alone, without its time.
    if (answer.ok && seq > 1 && at === null) return emit({ type: 'mustStartAnew' });
    if (answer.ok) {
      await this.#opened(answer.value, requestStamp);
      return;
    }
    if (answer.error.code === 'WF016') return emit({ type: 'mustStartAnew' });
    this.#facts.lastError = answer.error;
    machine.respectRetryAfter(answer.error);
    machine.dispatch({ type: 'openFailed', code: answer.error.code });
  }

  /** True: the editor may bind from now on (SY1). */
  becomeReady(): boolean {
    const { connection, state } = this.#context;
    if (connection.isReady || connection.state.status === 'closed') return false;
    const isOpened = this.#target !== null && state.log.seq >= this.#target;
    const hasWaited = this.#isPatienceOver || connection.state.status !== 'opening';
    if (!isOpened && !(this.#isStored && hasWaited)) return false;
    state.ensureUniqueClientId();
    this.stop();
    connection.isReady = true;
    return true;
  }

  stop(): void {
    this.#patience?.();
    this.#patience = null;
  }

  releaseLock(): void {
    this.#releaseOwnLock?.();
  }

  /** HI3: the outbox that was set aside is here even if the store could not take it, and the former copy is not. */
  async #afterSetAside(stored: StoredDocument | null): Promise<StoredDocument | null> {
    const { ports, state, store } = this.#context;
    if (this.#setAside === null) return stored;
    const { copy, entry, folded, isStored, key } = this.#setAside;
    if (isStored) return stored;
    state.log.setCopy(copy);
    const { recovered } = state.pending;
    recovered.forget(folded.map(({ session }) => session));
    recovered.add(new Outbox(key, [entry]), await takeLock(ports.locks, key.session));
    store.addEntry(key, entry);
    return null;
  }

  async #opened(answer: OpenAnswer, requestStamp: number): Promise<void> {
    const { emit, schemaVersion, state } = this.#context;
    const { arrivals, fetcher, snapshots, textCopy } = this.#parts;
    // SY2: read-only before anything newer reaches an editor that may be bound already, and would tidy it away.
    const isNewer = answer.schemaVersion > schemaVersion;
    if (isNewer) this.#openedWith(answer, 'newer');
    // After an outage: the page has been shown, and live updates may have come before.
    if (this.#target !== null) arrivals.rowsArriving(answer.rows);
    await state.opened(answer, requestStamp);
    if (this.#facts.isClosing) return;
    this.#target ??= answer.head;
    if (answer.textSeq < answer.head && accessOf(answer.role) === 'edit') textCopy.edited();
    if (isNewer) emit({ type: 'viewChanged' });
    else this.#openedWith(answer, accessOf(answer.role));
    const given = answer.snapshot?.seq ?? 0;
    snapshots.learnWanted(answer.snapshotWanted === true);
    snapshots.opened(state.log.seq < given ? given : null);
    // A full answer, or a snapshot that could not be read: the rest comes in pieces.
    if (state.log.isBehind) void fetcher.catchUp();
  }

  #openedWith(answer: OpenAnswer, access: Access): void {
    const { ports, rights, state } = this.#context;
    const { machine, topic } = this.#parts;
    const fromServer = ports.clock.fromServer ?? ((at) => at);
    this.#facts.document = { ...answer.document, updatedAt: fromServer(answer.document.updatedAt) };
    const moved = rights.opened(answer.role, answer.epoch, topic.epoch);
    this.#parts.stage.learn(answer);
    machine.dispatch({ type: 'opened', access, moved });
    // Before the first answer the machine has no state that could hold this.
    if (state.pending.toSend().some(({ refused }) => refused !== null)) machine.dispatch({ type: 'outboxRefused' });
  }
}

export const accessOf = (role: DocumentRole): 'edit' | 'read' => (mayEdit(role) ? 'edit' : 'read');
