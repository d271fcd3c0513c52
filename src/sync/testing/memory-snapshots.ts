// The snapshots of one document on the memory server, with the rules of claim_snapshot and save_snapshot.
import { digest } from 'lib0/hash/sha256';
import { type Bytes, toHex } from '../../lib/bytes.ts';
import { type Result, err, ok } from '../../lib/result.ts';
import type { MadeSnapshot } from '../ports.ts';
import { type WeftError, weftError } from '../protocol/errors.ts';
import type { UserId } from '../protocol/ids.ts';
import { MAX_SNAPSHOT_BYTES } from '../protocol/limits.ts';

const CLAIM_MS = 30_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const DAILY_FOR_MS = 31 * DAY_MS;
const NEWEST_KEPT = 3;

/** `at`: when it was stored. */
type Stored = Omit<MadeSnapshot, 'at'> & { readonly at: number };

export class MemorySnapshots {
  /** Oldest first. */
  #stored: readonly Stored[] = [];
  #claim: { readonly by: UserId; readonly until: number } | null = null;

  get newest(): Omit<MadeSnapshot, 'at'> | null {
    const newest = this.#stored.at(-1);
    return newest === undefined ? null : { seq: newest.seq, state: newest.state, sha256: newest.sha256 };
  }

  /** A backup is restored. */
  goBack(seq: number): void {
    this.#stored = this.#stored.filter((one) => one.seq <= seq);
    this.#claim = null;
  }

  /** Something was erased for good. */
  forget(): void {
    this.#stored = [];
    this.#claim = null;
  }

  get states(): readonly Bytes[] {
    return this.#stored.map(({ state }) => state);
  }

  get seqs(): readonly number[] {
    return this.#stored.map(({ seq }) => seq);
  }

  claim(user: UserId, now: number) {
    const granted = this.#claim === null || this.#claim.by === user || this.#claim.until <= now;
    if (granted) this.#claim = { by: user, until: now + CLAIM_MS };
    return { granted, until: this.#claim?.until ?? now, snapshotSeq: this.newest?.seq ?? 0 };
  }

  save(snapshot: MadeSnapshot, user: UserId, now: number, head: number): Result<number, WeftError> {
    const { seq, state, sha256 } = snapshot;
    if (state.length < 1 || state.length > MAX_SNAPSHOT_BYTES)
      return err(weftError('WF005', 'the snapshot is empty, or larger than 20 MiB'));
    if (toHex(digest(state)) !== sha256) return err(weftError('WF005', 'the snapshot does not match its sha256'));
    if (this.#claim?.by !== user || this.#claim.until <= now)
      return err(weftError('WF005', 'the snapshot is not claimed'));
    if (seq < 1 || seq > head) return err(weftError('WF005', 'the snapshot is not of a seq in the log'));
    const newest = this.newest?.seq ?? 0;
    if (seq > newest) this.plant(snapshot, now);
    this.#claim = null;
    return ok(Math.max(seq, newest));
  }

  /** Stores it without checks, as an editor could forge one. */
  plant({ seq, state, sha256 }: MadeSnapshot, now: number): void {
    const all = [...this.#stored, { seq, state: state.slice(), sha256, at: now }];
    // Keeps the last three, the last one of each day, and after a month that of each month.
    const period = ({ at }: Stored) =>
      at < now - DAILY_FOR_MS ? new Date(at).toISOString().slice(0, 7) : Math.floor(at / DAY_MS);
    this.#stored = all.filter(
      (one, at) => at >= all.length - NEWEST_KEPT || !all.slice(at + 1).some((later) => period(later) === period(one)),
    );
  }
}
