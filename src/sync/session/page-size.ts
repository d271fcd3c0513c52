// Says how large a page is, and whether it may grow (SZ2, SZ3). Counts the bytes of every change, which gives at least
// the real size, and measures only near a limit. Refuses nothing: the editor asks before an edit that grows the page.
import type { Cancel } from '../../lib/cancel.ts';
import type { Clock } from '../ports.ts';
import type { Emit } from '../session-event.ts';

/** The size of the state in Yjs V2, uncompressed (SPECIFICATION.md, section 5). */
export type PageLimits = { readonly largeBytes: number; readonly fullBytes: number };
export const PAGE_LIMITS: PageLimits = { largeBytes: 10 * 1024 * 1024, fullBytes: 20 * 1024 * 1024 };

export type PageSizeLevel = 'ordinary' | 'large' | 'full';

/** Measuring takes as long as a few animation frames, so it waits until no one has typed for this long. */
export const MEASURE_QUIET_MS = 2_000;
/** While someone keeps typing it waits at most this long. */
const MEASURE_MAX_MS = 10_000;
/** On a page that is known to be large only a warning depends on it, so it is rare. */
const MEASURE_LARGE_MS = 30_000;

export class PageSize {
  readonly #measureState: () => number;
  readonly #emit: Emit;
  readonly #clock: Clock;
  readonly #limits: PageLimits;
  /** The size as last measured, and every byte since. */
  #atMost = 0;
  #measured = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #changedAt = 0;
  #isDirty = false;
  #isRefusing = false;
  #level: PageSizeLevel = 'ordinary';
  #timer: { readonly cancel: Cancel; readonly due: number } | null = null;
  #isStopped = false;

  constructor(measureState: () => number, emit: Emit, clock: Clock, limits: PageLimits = PAGE_LIMITS) {
    this.#measureState = measureState;
    this.#emit = emit;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** `full` also after growth was refused, until a smaller edit finds room or the page is measured below the limit. */
  get level(): PageSizeLevel {
    return this.#level;
  }

  /** A transaction of anyone, as the bytes of its update. Deletions count too, although they make room. */
  changed(updateBytes: number): void {
    this.#atMost += updateBytes;
    this.#changedAt = this.#clock.now();
    this.#isDirty = true;
    if (this.#atMost >= this.#limits.largeBytes) this.#schedule();
  }

  /** Whether this many more bytes have room. Measures at once if the count is not certain, but at most every 2 s. */
  mayGrow(bytes: number): boolean {
    const isSure = () => this.#atMost + bytes <= this.#limits.fullBytes;
    const isLate = this.#clock.now() - this.#measuredAt >= MEASURE_QUIET_MS;
    if (!isSure() && this.#isDirty && isLate) this.#measure();
    this.#isRefusing = !isSure();
    this.#updateLevel();
    return !this.#isRefusing;
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isStopped) return;
    const isUrgent = this.#level !== 'large' || this.#atMost >= this.#limits.fullBytes;
    const due = this.#clock.now() + (isUrgent ? MEASURE_MAX_MS : MEASURE_LARGE_MS);
    this.#wait(due, isUrgent ? MEASURE_QUIET_MS : MEASURE_LARGE_MS);
  }

  #wait(due: number, ms: number): void {
    const cancel = this.#clock.after(Math.max(0, ms), () => {
      this.#timer = null;
      const now = this.#clock.now();
      const quietAt = this.#changedAt + MEASURE_QUIET_MS;
      if (now < quietAt && now < due) this.#wait(due, Math.min(quietAt, due) - now);
      else this.#measure();
    });
    this.#timer = { cancel, due };
  }

  #measure(): void {
    if (this.#isStopped) return;
    this.#timer?.cancel();
    this.#timer = null;
    this.#measured = this.#measureState();
    this.#atMost = this.#measured;
    this.#measuredAt = this.#clock.now();
    this.#isDirty = false;
    if (this.#measured < this.#limits.fullBytes) this.#isRefusing = false;
    this.#updateLevel();
  }

  #updateLevel(): void {
    const { largeBytes, fullBytes } = this.#limits;
    const isFull = this.#isRefusing || this.#measured >= fullBytes;
    const level = isFull ? 'full' : this.#measured >= largeBytes ? 'large' : 'ordinary';
    if (level === this.#level) return;
    this.#level = level;
    this.#emit({ type: 'viewChanged' });
  }
}
