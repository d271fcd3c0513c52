// Brings outboxes into the log: one append in flight, all unacknowledged edits from the first, recovered outboxes
// before the own one (D2, D6), each with the live updates it builds on (D3). When to try again after a failure is the
// machine's business, not this file's.
import type { Bytes } from '../../lib/bytes.ts';
import type { Cancel } from '../../lib/cancel.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { AppendAnswer } from '../../protocol/answers.ts';
import { type WeftError, weftError } from '../../protocol/errors.ts';
import type { DocumentId } from '../../protocol/ids.ts';
import { MAX_UPDATE_BYTES } from '../../protocol/limits.ts';
import type { Part } from '../../protocol/row.ts';
import { fitsInRow } from '../state/dependencies.ts';
import { type Batch, MAX_BATCH_BYTES, type Outbox } from '../state/outbox.ts';
import type { Append, Clock, Log, OutboxKey } from '../ports.ts';

/** Alone: a burst of typing is one row. */
export const FLUSH_IDLE_MS = 150;
export const FLUSH_MAX_MS = 250;
/** Log-only mode, with others here: at once, then at most 20 appends per second, because they see nothing sooner. */
export const FLUSH_WITH_PEERS_MS = 50;
/** Browsers let 64 KiB of keepalive bodies be under way; base64 and the rest of the call take their share. */
const MAX_KEEPALIVE_BYTES = 60 * 1024;
const CALL_OVERHEAD_BYTES = 1024;
const NOTHING: Bytes = new Uint8Array(0);

export interface LogSenderHost {
  /** Recovered outboxes that are shown, oldest first, then the own one. */
  outboxes(): readonly Outbox[];
  maySend(): boolean;
  /** Somebody waits for the row itself: no live update shows them the edits sooner. */
  peersAwaitRows(): boolean;
  /** For how many people the database is to publish the row; null when that is not known. */
  audienceOf(outbox: Outbox, nTo: number): number | null;
  knownSeq(): number;
  /** What the append has to carry (D3); null when something it builds on is not here. */
  dependenciesOf(outbox: Outbox, batch: Batch): readonly Part[] | null;
  /** What of that goes into a row before it, when it is more than a row may carry. */
  dependenciesToAppendFirst(dependencies: readonly Part[]): readonly Part[];
  /** A row that carries these, and nothing of the own, was appended. */
  relayed(answer: AppendAnswer): void;
  /** Sessions among these parts that only tabs of this browser told of: the database may not know them yet. */
  unregistered(parts: readonly Part[]): readonly OutboxKey[];
  /** Fetches rows until the head; false when that failed. */
  catchUp(): Promise<boolean>;
  acknowledged(outbox: Outbox, answer: AppendAnswer): void;
  /** The database knows this session, which is not of an outbox of ours. */
  registeredElsewhere(key: OutboxKey): void;
  /** `start_session` told how far the server is. */
  registered(outbox: Outbox, lastN: number): void;
  refused(outbox: Outbox, error: WeftError): void;
  failed(error: WeftError): void;
}

export class LogSender {
  readonly #host: LogSenderHost;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #document: DocumentId;
  readonly #schemaVersion: number;
  #timer: Cancel | null = null;
  #running: Promise<void> | null = null;
  #lastEditAt = 0;
  #lastAppendAt = Number.NEGATIVE_INFINITY;
  /** Asked to send while a run was under way. */
  #isRequestedAgain = false;
  #isDraining = false;

  constructor(host: LogSenderHost, clock: Clock, log: Log, document: DocumentId, schemaVersion: number) {
    this.#host = host;
    this.#clock = clock;
    this.#log = log;
    this.#document = document;
    this.#schemaVersion = schemaVersion;
  }

  get isSending(): boolean {
    return this.#running !== null;
  }

  /** When the newest append was sent, ms since 1970. */
  get lastAppendAt(): number {
    return this.#lastAppendAt;
  }

  edited(): void {
    this.#lastEditAt = this.#clock.now();
    this.#schedule();
  }

  /** Sends at once what waits. */
  sendNow(): void {
    this.#cancelTimer();
    if (this.#isDraining || !this.#host.maySend()) return;
    if (this.#running !== null) {
      this.#isRequestedAgain = true;
      return;
    }
    this.#running = this.#run().then((succeeded) => {
      this.#running = null;
      // After a failure the machine says when to try again; it may have said so while this run was still failing.
      if (succeeded || this.#isRequestedAgain) this.#schedule();
      this.#isRequestedAgain = false;
    });
  }

  /**
   * The page may be gone in a moment: sends everything unacknowledged again, beside an append in flight (the server
   * recognises the overlap), in requests that outlive the page.
   */
  sendWhileHidden(): void {
    if (this.#isDraining || !this.#host.maySend()) return;
    this.#cancelTimer();
    let budget = MAX_KEEPALIVE_BYTES;
    for (const outbox of this.#host.outboxes()) {
      if (outbox.isEmpty || outbox.refused !== null) continue;
      const batch = outbox.isRegistered ? outbox.batch(MAX_BATCH_BYTES) : null;
      const dependencies = batch === null ? null : this.#host.dependenciesOf(outbox, batch);
      if (batch !== null) for (const { update } of [batch, ...(dependencies ?? [])]) budget -= sizeInCall(update);
      if (batch === null || budget < 0 || dependencies === null || this.#host.unregistered(dependencies).length > 0) {
        // Not registered yet, or no room: the ordinary way; the store holds it in any case.
        this.sendNow();
        return;
      }
      void this.#log.append(this.#append(outbox, batch, dependencies), { keepalive: true }).then((answer) => {
        if (answer.ok && answer.value.seq !== null) this.#host.acknowledged(outbox, answer.value);
        this.#schedule();
      });
    }
  }

  /** D7: puts live updates of authors who are gone into the log, without an edit of the own. */
  async relay(own: Outbox, parts: readonly Part[]): Promise<Result<AppendAnswer, WeftError>> {
    const registered = await this.#register(own);
    if (!registered.ok) return registered;
    const known = await this.#registerOthers(parts);
    if (!known.ok) return known;
    return this.#log.append(this.#append(own, { nFrom: 0, nTo: 0, update: NOTHING }, parts));
  }

  /** Sends until nothing is left or a call fails; nothing is scheduled afterwards. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#cancelTimer();
    await this.#running;
    await this.#run();
  }

  #schedule(): void {
    if (this.#isDraining || this.#running !== null || !this.#host.maySend()) return;
    const first = this.#next()?.entries[0];
    if (first === undefined) return;
    this.#cancelTimer();
    const now = this.#clock.now();
    const due = this.#host.peersAwaitRows()
      ? this.#lastAppendAt + FLUSH_WITH_PEERS_MS
      : Math.min(this.#lastEditAt + FLUSH_IDLE_MS, first.at + FLUSH_MAX_MS);
    if (due <= now) this.sendNow();
    else this.#timer = this.#clock.after(due - now, () => this.sendNow());
  }

  #cancelTimer(): void {
    this.#timer?.();
    this.#timer = null;
  }

  #next(): Outbox | undefined {
    return this.#host.outboxes().find((outbox) => !outbox.isEmpty && outbox.refused === null);
  }

  /**
   * Recovered outboxes one after the other, then one append of the own: what was typed meanwhile is scheduled anew. The
   * next one is looked up each time: an outbox may have been recovered, and built upon, while a call was under way.
   */
  async #run(): Promise<boolean> {
    for (let outbox = this.#next(); outbox !== undefined && this.#host.maySend(); outbox = this.#next()) {
      const isOwn = outbox === this.#host.outboxes().at(-1);
      const sent = await this.#sendOne(outbox);
      if (!sent.ok) {
        if (!this.#report(outbox, sent.error)) return false;
        continue;
      }
      if (isOwn && !this.#isDraining) break;
    }
    return true;
  }

  async #sendOne(outbox: Outbox): Promise<Result<void, WeftError>> {
    const registered = await this.#register(outbox);
    if (!registered.ok) return registered;
    let batch = outbox.batch(MAX_BATCH_BYTES);
    if (batch === null) return ok(undefined);
    if (batch.update.length > MAX_UPDATE_BYTES) return err(weftError('WF005', 'one value of more than 1 MiB'));
    let dependencies = this.#host.dependenciesOf(outbox, batch);
    if (dependencies === null) {
      // D4: the rows it builds on are on their way, or were left out of a full answer.
      if (!(await this.#host.catchUp())) return err(weftError('WF011', 'rows to build on could not be fetched'));
      if (this.#next() !== outbox) return ok(undefined);
      // Typed meanwhile: a live update in the place of one that the batch builds on may hold what builds on edits behind it.
      for (const mostBytes of [MAX_BATCH_BYTES, MAX_UPDATE_BYTES]) {
        if (dependencies !== null) break;
        batch = outbox.batch(mostBytes) ?? batch;
        dependencies = this.#host.dependenciesOf(outbox, batch);
      }
      if (dependencies === null) return err(weftError('WF005', 'builds on edits that are not in the log'));
    }
    if (!fitsInRow(dependencies)) return this.#appendDependenciesFirst(outbox, dependencies);
    const known = await this.#registerOthers(dependencies);
    if (!known.ok) return known;
    this.#lastAppendAt = this.#clock.now();
    const answer = await this.#log.append(this.#append(outbox, batch, dependencies));
    if (!answer.ok) return answer;
    if (answer.value.seq !== null) {
      this.#host.acknowledged(outbox, answer.value);
      return ok(undefined);
    }
    return this.#fillGap(outbox, answer.value);
  }

  /** More than a row may carry, a paste of megabytes in another tab: a part of it goes first, in a row of its own. */
  async #appendDependenciesFirst(outbox: Outbox, dependencies: readonly Part[]): Promise<Result<void, WeftError>> {
    const parts = this.#host.dependenciesToAppendFirst(dependencies);
    if (parts.length === 0) return err(weftError('WF005', 'builds on more than a row may carry'));
    const answer = await this.relay(outbox, parts);
    if (!answer.ok) return answer;
    const before = this.#host.knownSeq();
    this.#host.relayed(answer.value);
    if (this.#host.knownSeq() === before) await this.#host.catchUp();
    // Nothing gained: not tried again at once.
    return this.#host.knownSeq() > before ? ok(undefined) : err(weftError('WF011', 'what it builds on does not come'));
  }

  /** The server asks for numbers from `lastN + 1` on: they are the next batch, if they are still here. */
  #fillGap(outbox: Outbox, answer: AppendAnswer): Result<void, WeftError> {
    const first = outbox.entries[0]?.n ?? 0;
    if (first > answer.lastN) return err(weftError('WF005', `edits ${answer.lastN + 1} to ${first - 1} are lost`));
    this.#host.acknowledged(outbox, answer);
    return ok(undefined);
  }

  async #register(outbox: Outbox): Promise<Result<void, WeftError>> {
    if (outbox.isRegistered) return ok(undefined);
    const started = await this.#start(outbox.key);
    if (!started.ok) return started;
    outbox.markRegistered();
    this.#host.registered(outbox, started.value.lastN);
    return ok(undefined);
  }

  /**
   * What only this browser told of may be the edits of its other tabs, whose sessions whoever comes first registers, or
   * what these build on: live updates of others, whose sessions the database knows.
   */
  async #registerOthers(parts: readonly Part[]): Promise<Result<void, WeftError>> {
    const keys = this.#host.unregistered(parts);
    if (keys.length === 0) return ok(undefined);
    const sessions = keys.map(({ session }) => session);
    const infos = await this.#log.sessionInfo(this.#document, sessions);
    if (!infos.ok) return infos;
    for (const key of keys) {
      if (!infos.value.some(({ session }) => session === key.session)) {
        const started = await this.#start(key);
        if (!started.ok) return started;
      }
      this.#host.registeredElsewhere(key);
    }
    return ok(undefined);
  }

  #start({ session, clientId }: OutboxKey) {
    const schemaVersion = this.#schemaVersion;
    return this.#log.startSession({ document: this.#document, session, clientId, schemaVersion });
  }

  #append(outbox: Outbox, batch: Batch, dependencies: readonly Part[]): Append {
    return {
      document: this.#document,
      session: outbox.session,
      ...batch,
      dependencies,
      knownSeq: this.#host.knownSeq(),
      schemaVersion: this.#schemaVersion,
      livePeers: this.#host.audienceOf(outbox, batch.nTo),
    };
  }

  /** Whether it makes sense to go on with what is left. */
  #report(outbox: Outbox, error: WeftError): boolean {
    switch (error.code) {
      case 'WF005':
      case 'WF006':
      case 'WF007':
        this.#host.refused(outbox, error);
        return true;
      default:
        this.#host.failed(error);
        return false;
    }
  }
}

/** In base64, as the body of a call holds it. */
const sizeInCall = (update: Bytes) => Math.ceil(update.length / 3) * 4 + CALL_OVERHEAD_BYTES;
