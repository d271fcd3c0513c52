// Decides when a tab makes a snapshot, verifies one, or replaces a wrong one (SN1–SN8). Snapshots are a cache of the
// log: a failure here is silent, tried again much later, and changes nothing that is shown.
import type { Cancel } from '../../lib/cancel.ts';
import { mayEditIn } from '../connection/machine.ts';
import type { MadeSnapshot, StoredDocument, StoredSnapshot } from '../ports.ts';
import { firstSeqOf } from '../protocol/first-seq.ts';
import { MAX_ROWS_PER_ANSWER, MAX_SNAPSHOT_BYTES } from '../protocol/limits.ts';
import type { SnapshotClaim } from '../protocol/log-answers.ts';
import { mayEdit as roleMayEdit } from '../protocol/roles.ts';
import type { Row } from '../protocol/row.ts';
import type { SessionContext } from '../session-context.ts';
import { bytesOf } from '../state/replica.ts';

/** A longer tail is worth a snapshot, if it is also longer than half of the present one (SN2). */
const LONG_TAIL_BYTES = 100_000;
/** This long without an own edit. */
export const IDLE_MS = 2_000;
/** Everyone who has the page open learns of a long tail at the same moment. */
export const JITTER_MS = 8_000;
/** How long a claim gives the right to save (SN3). */
export const LEASE_MS = 30_000;
/** After a failure (SN5). */
export const TRY_AGAIN_MS = 10 * 60_000;
/** One of this many opens is verified. */
const VERIFIED_OF_OPENS = 100;
const MAX_VERIFIED_ROWS = 5_000;
/** 5,000 rows may have a megabyte each. */
const MAX_VERIFIED_BYTES = 20 * 1024 * 1024;

export class SnapshotScheduler {
  readonly #context: SessionContext;
  #timer: Cancel | null = null;
  #isWorking = false;
  #isStopped = false;
  #isVerifyDue = false;
  #hasOpened = false;
  #notBefore = Number.NEGATIVE_INFINITY;
  /** Bytes of taken rows that are in the stored snapshot. */
  #foldedBytes = 0;
  /** Size of the stored snapshot, as far as it is known. */
  #snapshotBytes = 0;
  /** The stored snapshot is wrong: the next one is made from the log alone. */
  #isStoredWrong = false;
  /** The server's snapshot is wrong: one of this seq or a higher one is due. */
  #owedSeq: number | null = null;
  /** SN11: a short tail is worth a snapshot, too. */
  #isWanted = false;

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** The open call was answered. `refusedSeq`: with a snapshot that could not be applied (SN6). */
  opened(refusedSeq: number | null): void {
    if (this.#context.ports.snapshots === undefined) return;
    if (!this.#hasOpened) this.#isVerifyDue = this.#context.ports.random.next() < 1 / VERIFIED_OF_OPENS;
    this.#hasOpened = true;
    this.#owedSeq ??= refusedSeq;
    this.check();
  }

  /** SN11: what the last answer of the server said. */
  learnWanted(isWanted: boolean): void {
    this.#isWanted = isWanted && this.#mayEdit;
  }

  /** An append was acknowledged, or rows came: the tail may be long by now. */
  check(): void {
    const isBusy = this.#isStopped || this.#isWorking || this.#timer !== null;
    if (isBusy || !this.#hasOpened || this.#context.ports.clock.now() < this.#notBefore || !this.#isDue()) return;
    this.#wait(IDLE_MS + JITTER_MS * this.#context.ports.random.next());
  }

  /** Work in progress is not interrupted, but changes nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.();
    this.#timer = null;
  }

  /** Calls are worth a try, no own edit waits to be sent, and someone looks at the page. */
  get #isQuiet(): boolean {
    const { connection, ports, state } = this.#context;
    const isSettled = state.pending.own.isEmpty && state.log.isUpToDate;
    return connection.isLive && isSettled && ports.environment.isVisible();
  }

  get #mayEdit(): boolean {
    const { connection, rights } = this.#context;
    return roleMayEdit(rights.role) && mayEditIn(connection.state);
  }

  #isDue(): boolean {
    const isOwed = this.#owedSeq !== null && this.#context.state.log.seq >= this.#owedSeq;
    return (
      isOwed ||
      this.#isWanted ||
      this.#isStoredWrong ||
      this.#isVerifyDue ||
      this.#isLong(this.#tailBytes(), this.#snapshotBytes)
    );
  }

  #tailBytes(): number {
    const taken = this.#context.state.log.takenBytes;
    // The document was rebuilt from what this device stores, so the count started anew behind the stored snapshot.
    if (taken < this.#foldedBytes) this.#foldedBytes = 0;
    return taken - this.#foldedBytes;
  }

  #isLong(tailBytes: number, snapshotBytes: number): boolean {
    return tailBytes > Math.max(LONG_TAIL_BYTES, snapshotBytes / 2);
  }

  #wait(ms: number): void {
    const before = this.#context.state.pending.own.lastN;
    this.#timer = this.#context.ports.clock.after(ms, () => {
      this.#timer = null;
      const isTyping = this.#context.state.pending.own.lastN !== before;
      if (isTyping) this.#wait(IDLE_MS);
      // Otherwise the next answer checks again: a hidden or disconnected tab has no timer for this.
      else if (this.#isQuiet) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      if (this.#isVerifyDue) await this.#verify();
      if (!this.#isStopped && this.#isDue()) await this.#make();
    } catch {
      // The state is too large, or the worker gave up, most likely for lack of memory.
      this.#retryLater();
    }
    this.#isWorking = false;
  }

  #retryLater(): void {
    this.#notBefore = this.#context.ports.clock.now() + TRY_AGAIN_MS * (1 + this.#context.ports.random.next());
  }

  /** SN7. Verifies the snapshot in this device's store: from the open call, or the one that the page was opened from. */
  async #verify(): Promise<void> {
    this.#isVerifyDue = false;
    const snapshot = (await this.#context.store.load())?.snapshot ?? null;
    if (snapshot === null || snapshot.seq > MAX_VERIFIED_ROWS || this.#isStopped) return;
    const rows = await this.#rowsOfLog(snapshot.seq);
    if (rows === null || this.#isStopped || (await this.#context.ports.snapshots?.isTrue(snapshot, rows)) !== false)
      return;
    if (this.#isStopped) return;
    this.#isStoredWrong = true;
    this.#owedSeq = snapshot.seq;
    this.#context.emit({ type: 'snapshotFoundWrong', seq: snapshot.seq });
  }

  async #make(): Promise<void> {
    const taken = this.#context.state.log.takenBytes;
    const stored = await this.#context.store.load();
    if (this.#isStopped) return;
    // The store is broken: it cannot say what it has of the log without a gap.
    if (stored === null) return this.#retryLater();
    // HI6: another tab has begun another copy, and this one will.
    if (stored.meta.copy !== this.#context.state.log.copy) return this.#retryLater();
    const tailBytes = stored.rows.reduce((sum, row) => sum + bytesOf(row), 0);
    this.#foldedBytes = taken - tailBytes;
    this.#snapshotBytes = stored.snapshot?.state.length ?? 0;
    const isWrong = this.#isStoredWrong || this.#owedSeq !== null;
    if (!isWrong && !this.#isWanted && !this.#isLong(tailBytes, this.#snapshotBytes)) return;

    const claim = await this.#claim();
    if (claim === 'failed') return this.#retryLater();
    // Someone else makes one. When they are done or gone, there is a snapshot, or the claim is free.
    if (claim === 'taken') return this.#wait(LEASE_MS + JITTER_MS * this.#context.ports.random.next());
    const made = await this.#replay(stored);
    if (this.#isStopped) return;
    if (made === null) return this.#retryLater();
    if (claim !== null && !(await this.#saveOnServer(made, claim, stored))) return this.#retryLater();
    // After `stop` the store may belong to no one any more: a sign-out wipes it.
    if (this.#isStopped) return undefined;
    this.#context.state.log.save([], { seq: made.seq, at: made.at ?? null, state: made.state });
    this.#foldedBytes = taken;
    this.#snapshotBytes = made.state.length;
    if (this.#isStoredWrong) this.#context.emit({ type: 'snapshotCorrected' });
    this.#isStoredWrong = false;
  }

  /** Null: a reader only compacts what this device stores. */
  async #claim(): Promise<SnapshotClaim | 'taken' | 'failed' | null> {
    if (!this.#mayEdit) return null;
    const claimed = await this.#context.ports.log.claimSnapshot(this.#context.documentId);
    if (this.#isStopped || !claimed.ok) return 'failed';
    return claimed.value.granted ? claimed.value : 'taken';
  }

  /** SN1: from the store's rows without a gap; if the stored snapshot is wrong, from the log alone. */
  async #replay(stored: StoredDocument): Promise<MadeSnapshot | null> {
    const { snapshots } = this.#context.ports;
    if (snapshots === undefined) return null;
    if (this.#isStoredWrong) {
      const rows = await this.#rowsOfLog(Math.max(this.#context.state.log.seq, stored.snapshot?.seq ?? 0));
      return rows === null || this.#isStopped ? null : withTime(await snapshots.make(null, rows), rows, null);
    }
    const made = await snapshots.make(stored.snapshot, stored.rows);
    // The stored snapshot cannot be read: the next try asks the log.
    this.#isStoredWrong = made === null && stored.snapshot !== null;
    return withTime(made, stored.rows, stored.snapshot);
  }

  /** False when the call failed. Not every snapshot is worth a call (SN3). */
  async #saveOnServer(made: MadeSnapshot, claim: SnapshotClaim, stored: StoredDocument): Promise<boolean> {
    if (made.seq > claim.snapshotSeq && this.#isWorthSaving(made, claim, stored)) {
      const { documentId, ports } = this.#context;
      const saved = await ports.log.saveSnapshot(documentId, made);
      if (!saved.ok) return false;
      this.#owedSeq = null;
      this.#isWanted = false;
      return true;
    }
    this.#isWanted = false;
    // SN8: only a newer one replaces a wrong one, so it has to wait for the next edit.
    if (this.#owedSeq !== null) this.#owedSeq = claim.snapshotSeq + 1;
    return true;
  }

  #isWorthSaving(made: MadeSnapshot, { snapshotSeq }: SnapshotClaim, { snapshot, rows }: StoredDocument): boolean {
    if (made.state.length > MAX_SNAPSHOT_BYTES) return false;
    if (this.#owedSeq !== null || this.#isWanted) return true;
    // Someone may have saved one since this tab last asked.
    const tailBytes = rows.reduce((sum, row) => sum + (row.seq > snapshotSeq ? bytesOf(row) : 0), 0);
    return this.#isLong(tailBytes, snapshot?.state.length ?? 0);
  }

  /**
   * All rows from the first at least up to `seq`. Null when they cannot be fetched, or are more than an idle page
   * should fetch.
   */
  async #rowsOfLog(seq: number): Promise<readonly Row[] | null> {
    const rows: Row[] = [];
    let bytes = 0;
    for (let last = 0; last < seq;) {
      const answer = await this.#context.ports.log.rowsSince(this.#context.documentId, last, MAX_ROWS_PER_ANSWER);
      if (!answer.ok || this.#isStopped) return null;
      const before = last;
      for (const row of answer.value.rows) {
        // Rows are missing at the beginning: this log was cut.
        if (firstSeqOf(row) !== last + 1) return null;
        rows.push(row);
        last = row.seq;
        bytes += bytesOf(row);
      }
      if (last === before || bytes > MAX_VERIFIED_BYTES) return null;
    }
    return rows;
  }
}

/** HI1: the snapshot with the time of its last row. */
function withTime(made: MadeSnapshot | null, rows: readonly Row[], before: StoredSnapshot | null): MadeSnapshot | null {
  if (made === null) return null;
  const last = rows.find(({ seq }) => seq === made.seq);
  return { ...made, at: last?.at ?? (before?.seq === made.seq ? before.at : null) ?? null };
}
