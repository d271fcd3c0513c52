// Brings outboxes into the log: one append in flight, all unacknowledged edits from the first on, recovered outboxes
// before the own one (D2, D6), each with its dependencies (D3). Reports the answers; after a failure the machine
// decides when to try again.
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { Append, OutboxKey } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import { MAX_UPDATE_BYTES } from '../protocol/limits.ts';
import type { AppendAnswer } from '../protocol/log-answers.ts';
import type { Part } from '../protocol/row.ts';
import type { SessionContext } from '../session-context.ts';
import { fitsInRow } from '../state/dependency-closure.ts';
import { type Batch, MAX_BATCH_BYTES, type Outbox } from '../state/outbox.ts';
import { decodeUpdate } from '../updates/decoded-update.ts';
import { missingClocks } from '../updates/missing-clocks.ts';
import type { LogFetcher } from './log-fetcher.ts';

/** Edits wait for a pause in typing, but no longer than `FLUSH_MAX_MS`: a short burst is one row. Live updates show them before. */
export const FLUSH_IDLE_MS = 150;
export const FLUSH_MAX_MS = 250;
/** With others here and live updates off: at once, then at most 20 appends per second, since rows are all they see. */
export const FLUSH_WITH_PEERS_MS = 50;
/** Browsers allow 64 KiB of keepalive bodies in flight; base64 and the rest of the call take their share. */
const MAX_KEEPALIVE_BYTES = 60 * 1024;
const CALL_OVERHEAD_BYTES = 1024;
const NO_BYTES: Bytes = new Uint8Array(0);

/** Knows for how many sessions the database is to publish a row. */
export interface Audience {
  /** The number of those sessions for an append that ends with edit `nTo` of the outbox. Null if it is not known. */
  audienceOf(outbox: Outbox, nTo: number): number | null;
}

export class LogSender {
  readonly #context: SessionContext;
  readonly #fetcher: Pick<LogFetcher, 'catchUp'>;
  readonly #audience: Audience;
  #timer: Cancel | null = null;
  #running: Promise<void> | null = null;
  #lastEditAt = 0;
  #lastAppendAt = Number.NEGATIVE_INFINITY;
  /** `sendNow` was called while a run was under way. */
  #isRequestedAgain = false;
  #isDraining = false;
  #isRegistering = false;

  constructor(context: SessionContext, fetcher: Pick<LogFetcher, 'catchUp'>, audience: Audience) {
    this.#context = context;
    this.#fetcher = fetcher;
    this.#audience = audience;
  }

  get isSending(): boolean {
    return this.#running !== null;
  }

  /** There is a new own edit: it goes out after a pause in typing. */
  edited(): void {
    this.#lastEditAt = this.#context.ports.clock.now();
    this.#schedule();
  }

  /** Sends at once what waits. */
  sendNow(): void {
    this.#cancelTimer();
    if (this.#isDraining || !this.#maySend) return;
    if (this.#running !== null) {
      this.#isRequestedAgain = true;
      return;
    }
    this.#running = this.#run().then((succeeded) => {
      this.#running = null;
      // After a failure the machine decides when to try again; it may have decided while this run was still failing.
      if (succeeded || this.#isRequestedAgain) this.#schedule();
      this.#isRequestedAgain = false;
    });
  }

  /**
   * The page may be gone in a moment: sends everything unacknowledged again, beside an append in flight (the server
   * recognizes the overlap), in requests that outlive the page.
   */
  sendWhileHidden(): void {
    const { state, ports } = this.#context;
    if (this.#isDraining || !this.#maySend) return;
    this.#cancelTimer();
    let budget = MAX_KEEPALIVE_BYTES;
    for (const outbox of state.pending.toSend()) {
      if (outbox.isEmpty || outbox.refused !== null) continue;
      const batch = outbox.isRegistered && !outbox.isPutBack ? outbox.batch(MAX_BATCH_BYTES) : null;
      const parts = batch === null ? null : state.pending.dependencies.of(outbox, batch);
      if (batch !== null) for (const { update } of [batch, ...(parts ?? [])]) budget -= sizeInCall(update);
      if (batch === null || budget < 0 || parts === null || state.pending.known.unregistered(parts).length > 0) {
        // Not registered yet, or no room: it goes the ordinary way. The store has it in any case.
        this.sendNow();
        return;
      }
      void ports.log.append(this.#append(outbox, batch, parts), { keepalive: true }).then((answer) => {
        if (answer.ok && answer.value.seq !== null) this.#acknowledged(outbox, answer.value);
        this.#schedule();
      });
    }
  }

  /** D7: appends live updates of authors who are gone, without an own edit. */
  async relay(parts: readonly Part[]): Promise<Result<AppendAnswer, WeftError>> {
    return this.#appendParts(this.#context.state.pending.own, parts);
  }

  /** Registers the own session before its first edit, because others see its caret. */
  async register(): Promise<void> {
    if (this.#isRegistering || this.#running !== null || this.#isDraining) return;
    this.#isRegistering = true;
    const registered = await this.#register(this.#context.state.pending.own);
    this.#isRegistering = false;
    // A refused client id is drawn anew, and other refusals are shown, when there is something to send.
    if (!registered.ok && registered.error.code === 'WF011')
      this.#context.emit({ type: 'callFailed', error: registered.error });
  }

  /** Sends until nothing is left or a call fails; nothing is scheduled afterwards. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#cancelTimer();
    await this.#running;
    await this.#run();
  }

  /** HI4: own edits may build on what is hidden until the document has been rebuilt. */
  get #maySend(): boolean {
    const { connection, state } = this.#context;
    return connection.maySend && state.pending.recovered.hidden.length === 0;
  }

  /** With live updates off, others see an edit only as a row, so they wait for it. */
  get #peersAwaitRows(): boolean {
    const { hasLiveUpdates, presence } = this.#context;
    return !hasLiveUpdates && (presence.others ?? 0) > 0;
  }

  #schedule(): void {
    if (this.#isDraining || this.#running !== null || !this.#maySend) return;
    const first = this.#next()?.entries[0];
    if (first === undefined) return;
    this.#cancelTimer();
    const { clock } = this.#context.ports;
    const now = clock.now();
    const due = this.#peersAwaitRows
      ? this.#lastAppendAt + FLUSH_WITH_PEERS_MS
      : Math.min(this.#lastEditAt + FLUSH_IDLE_MS, first.at + FLUSH_MAX_MS);
    if (due <= now) this.sendNow();
    else this.#timer = clock.after(due - now, () => this.sendNow());
  }

  #cancelTimer(): void {
    this.#timer?.();
    this.#timer = null;
  }

  #next(): Outbox | undefined {
    return this.#context.state.pending.toSend().find((outbox) => !outbox.isEmpty && outbox.refused === null);
  }

  /**
   * Recovered outboxes one after the other, then one append of the own one; edits made meanwhile are scheduled anew. The
   * next outbox is determined each time: during a call one may have been recovered, and built upon.
   */
  async #run(): Promise<boolean> {
    const { state } = this.#context;
    for (let outbox = this.#next(); outbox !== undefined && this.#maySend; outbox = this.#next()) {
      const isOwn = outbox === state.pending.toSend().at(-1);
      const sent = await this.#sendOne(outbox);
      if (!sent.ok) {
        if (!this.#failed(outbox, sent.error)) return false;
        continue;
      }
      if (isOwn && !this.#isDraining) break;
    }
    return true;
  }

  async #sendOne(outbox: Outbox): Promise<Result<void, WeftError>> {
    const { clock, log } = this.#context.ports;
    if (outbox.isPutBack) return this.#putBack(outbox);
    const registered = await this.#register(outbox);
    if (!registered.ok) return registered;
    const complete = await this.#completeBatch(outbox);
    if (!complete.ok) return complete;
    // D8: an answer may have shown meanwhile that a row of it is damaged. HI3: what is set aside is not appended any more.
    if (complete.value === null || outbox.refused !== null || !this.#maySend) return ok(undefined);
    const { batch, parts } = complete.value;
    if (!fitsInRow(parts)) return this.#appendDependenciesFirst(outbox, parts);
    const known = await this.#registerOthers(parts);
    if (!known.ok || !this.#maySend) return known;
    this.#lastAppendAt = clock.now();
    const answer = await log.append(this.#append(outbox, batch, parts));
    if (!answer.ok) return answer;
    if (answer.value.seq === null) return this.#fillGap(outbox, batch, answer.value);
    this.#acknowledged(outbox, answer.value);
    return this.#rowsHere(answer.value);
  }

  /**
   * I2: an answer that lacks rows up to its head deletes nothing from the outbox. The rows are fetched, then the same append is sent
   * again and gets the same answer.
   */
  async #rowsHere({ head }: AppendAnswer): Promise<Result<void, WeftError>> {
    const { log } = this.#context.state;
    if (log.seq < head) await this.#fetcher.catchUp();
    return log.seq < head ? err(weftError('WF011', 'rows up to the own one could not be fetched')) : ok(undefined);
  }

  /** HI4: appends what was set aside and the log lacks, as one row. */
  async #putBack(outbox: Outbox): Promise<Result<void, WeftError>> {
    const { documentId, emit, ports, schemaVersion, state } = this.#context;
    const { dependencies } = state.pending;
    const { at: knownAt, replica, seq: knownSeq } = state.log;
    // HI9: without what the log has had already: it may have been erased since.
    const update = dependencies.withoutLogged(dependencies.withHeld(outbox.putBackUpdate()));
    const decoded = decodeUpdate(update);
    if (decoded === null) return err(weftError('WF005', 'what was set aside does not decode'));
    // I11: others put back what it builds on, or are about to append it.
    if (missingClocks([decoded], replica.clockInLog).size > 0) {
      await this.#fetcher.catchUp();
      return err(weftError('WF011', 'what it builds on is not in the log yet'));
    }
    const setAsideAt = outbox.entries[0]?.at ?? null;
    const call = { document: documentId, update, setAsideAt, knownSeq, knownAt, schemaVersion, livePeers: null };
    const answer = await ports.log.putBack(call);
    if (!answer.ok) return answer;
    if (answer.value.seq !== null) {
      this.#acknowledged(outbox, { ...answer.value, lastN: outbox.lastN });
      return this.#rowsHere(answer.value);
    }
    // The rows of the answer hold what someone else has put back, unless they came before it.
    emit({ type: 'relayAnswered', answer: answer.value });
    return ok(undefined);
  }

  /** The next batch with its dependencies. Null: there is nothing to send any more. */
  async #completeBatch(
    outbox: Outbox,
  ): Promise<Result<{ readonly batch: Batch; readonly parts: readonly Part[] } | null, WeftError>> {
    const { pending } = this.#context.state;
    // What is to be put back has no number, so it can't travel as a dependency and goes first. It may have appeared while this
    // outbox was registered.
    if (this.#next() !== outbox) return ok(null);
    let batch = outbox.batch(MAX_BATCH_BYTES);
    if (batch === null) return ok(null);
    if (batch.update.length > MAX_UPDATE_BYTES) return err(weftError('WF020'));
    let parts = pending.dependencies.of(outbox, batch);
    if (parts !== null) return ok({ batch, parts });
    // D4: the rows it builds on are on their way, or were left out of a full answer.
    if (!(await this.#fetcher.catchUp())) return err(weftError('WF011', 'rows to build on could not be fetched'));
    if (this.#next() !== outbox) return ok(null);
    // Meanwhile a live update that the batch builds on may have been replaced by one that builds on later own edits.
    for (const mostBytes of [MAX_BATCH_BYTES, MAX_UPDATE_BYTES]) {
      batch = outbox.batch(mostBytes) ?? batch;
      parts = pending.dependencies.of(outbox, batch);
      if (parts !== null) return ok({ batch, parts });
    }
    return err(weftError('WF005', 'builds on edits that are not in the log'));
  }

  /** One row cannot hold all dependencies (a paste of megabytes in another tab): some go first, in their own row. */
  async #appendDependenciesFirst(outbox: Outbox, dependencies: readonly Part[]): Promise<Result<void, WeftError>> {
    const { emit, state } = this.#context;
    const parts = state.pending.dependencies.toAppendFirst(dependencies);
    if (parts.length === 0) return err(weftError('WF005', 'builds on more than a row may hold'));
    const answer = await this.#appendParts(outbox, parts);
    if (!answer.ok) return answer;
    const before = state.log.seq;
    emit({ type: 'relayAnswered', answer: answer.value });
    if (state.log.seq === before) await this.#fetcher.catchUp();
    // Without progress this is not tried again at once.
    return state.log.seq > before ? ok(undefined) : err(weftError('WF011', 'its dependencies do not arrive'));
  }

  async #appendParts(outbox: Outbox, parts: readonly Part[]): Promise<Result<AppendAnswer, WeftError>> {
    const registered = await this.#register(outbox);
    if (!registered.ok) return registered;
    const known = await this.#registerOthers(parts);
    if (!known.ok) return known;
    const { log } = this.#context.ports;
    return log.append(this.#append(outbox, { nFrom: 0, nTo: 0, update: NO_BYTES }, parts));
  }

  /** The server asks for numbers from `lastN + 1` on: they are the next batch, if they are still here. */
  async #fillGap(outbox: Outbox, { nFrom }: Batch, answer: AppendAnswer): Promise<Result<void, WeftError>> {
    const first = outbox.entries[0]?.n ?? 0;
    // An overlap gets this answer too (LG3), and a later one may have acknowledged more already.
    if (nFrom > answer.lastN + 1 && first > answer.lastN + 1) {
      // HI3, HI4: the server had these numbers once, or their tab could not store them.
      const lost = `edits ${answer.lastN + 1} to ${first - 1} are lost`;
      return this.#context.state.pending.convert(outbox) ? ok(undefined) : err(weftError('WF016', lost));
    }
    this.#acknowledged(outbox, answer);
    return this.#rowsHere(answer);
  }

  #acknowledged(outbox: Outbox, answer: AppendAnswer): void {
    this.#context.emit({ type: 'appendAnswered', outbox, answer });
  }

  async #register(outbox: Outbox): Promise<Result<void, WeftError>> {
    if (outbox.isRegistered) return ok(undefined);
    const started = await this.#startSession(outbox.key);
    if (!started.ok) return started;
    outbox.markRegistered();
    this.#context.emit({ type: 'sessionRegistered', outbox, lastN: started.value.lastN });
    return ok(undefined);
  }

  /**
   * The database may not know sessions that only this browser named. Sessions of its other tabs are registered by
   * whichever tab comes first; sessions that those build on are others', and registered already.
   */
  async #registerOthers(parts: readonly Part[]): Promise<Result<void, WeftError>> {
    const { documentId, ports, state } = this.#context;
    const { known } = state.pending;
    const keys = known.unregistered(parts);
    if (keys.length === 0) return ok(undefined);
    const sessions = keys.map(({ session }) => session);
    const infos = await ports.log.sessionInfo(documentId, sessions);
    if (!infos.ok) return infos;
    for (const key of keys) {
      if (!infos.value.some(({ session, clientId }) => session === key.session && clientId !== null)) {
        const started = await this.#startSession(key);
        if (!started.ok) return started;
      }
      known.learnRegistered(key);
    }
    return ok(undefined);
  }

  #startSession({ session, clientId }: OutboxKey) {
    const { documentId, ports, schemaVersion } = this.#context;
    return ports.log.startSession({ document: documentId, session, clientId, schemaVersion });
  }

  #append(outbox: Outbox, batch: Batch, dependencies: readonly Part[]): Append {
    const { documentId, schemaVersion, state } = this.#context;
    const withoutLogged = <P extends { readonly update: Bytes }>(part: P): P => ({
      ...part,
      update: state.pending.dependencies.withoutLogged(part.update),
    });
    return {
      document: documentId,
      session: outbox.session,
      // Of what this session has not had acknowledged, the log has nothing. Of other outboxes it may have a part.
      ...(outbox === state.pending.own ? batch : withoutLogged(batch)),
      dependencies: dependencies.map(withoutLogged),
      knownSeq: state.log.seq,
      knownAt: state.log.at,
      schemaVersion,
      livePeers: this.#audience.audienceOf(outbox, batch.nTo),
    };
  }

  /** Whether it makes sense to go on with the remaining edits. */
  #failed(outbox: Outbox, error: WeftError): boolean {
    switch (error.code) {
      case 'WF005':
      case 'WF006':
      case 'WF007':
      case 'WF020':
        this.#context.state.pending.refuse(outbox, error);
        return true;
      default:
        this.#context.emit({ type: 'callFailed', error });
        return false;
    }
  }
}

/** In base64, as the body of a call holds it. */
const sizeInCall = (update: Bytes) => Math.ceil(update.length / 3) * 4 + CALL_OVERHEAD_BYTES;
