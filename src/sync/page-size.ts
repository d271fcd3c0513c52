// How large a page is, and whether it may grow (SZ2, SZ3). Counts what comes in, which is always enough or too much, and
// measures only near a limit. Knows no editor: whoever writes asks before.
import * as Y from 'yjs';
import type { Cancel } from '../lib/cancel.ts';
import { ROW, newDoc } from './new-doc.ts';
import type { Clock } from './ports.ts';

/** Of the state, Yjs V2, not deflated (SPECIFICATION.md, point 5). */
export type PageLimits = { readonly largeBytes: number; readonly fullBytes: number };
export const PAGE_LIMITS: PageLimits = { largeBytes: 10 * 1024 * 1024, fullBytes: 20 * 1024 * 1024 };

export type PageSizeWord = 'ordinary' | 'large' | 'full';

/** Measuring takes as long as a few frames: not while somebody types, … */
export const MEASURE_QUIET_MS = 2_000;
/** … not for ever put off by who types on, … */
const MEASURE_MAX_MS = 10_000;
/** … and rarely where only a warning depends on it. */
const MEASURE_LARGE_MS = 30_000;

export interface PageSizeHost {
  measure(): number;
  /** The word changed. */
  changed(): void;
}

export class PageSize {
  readonly #host: PageSizeHost;
  readonly #clock: Clock;
  readonly #limits: PageLimits;
  /** As last measured, and everything that came since. */
  #atMost = 0;
  #measured = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #changedAt = 0;
  #isDirty = false;
  #isRefusing = false;
  #word: PageSizeWord = 'ordinary';
  #timer: { readonly cancel: Cancel; readonly due: number } | null = null;
  #isStopped = false;

  constructor(host: PageSizeHost, clock: Clock, limits: PageLimits = PAGE_LIMITS) {
    this.#host = host;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** `full` also after growth was refused, until something smaller finds room. */
  get word(): PageSizeWord {
    return this.#word;
  }

  /** A transaction of anybody, as the bytes of its update: deletions too, which make room. */
  changed(updateBytes: number): void {
    this.#atMost += updateBytes;
    this.#changedAt = this.#clock.now();
    this.#isDirty = true;
    if (this.#atMost >= this.#limits.largeBytes) this.#schedule();
  }

  /** Whether so many bytes more have room. Measures at once where the count is not sure. */
  mayGrow(bytes: number): boolean {
    const isSure = () => this.#atMost + bytes <= this.#limits.fullBytes;
    const isLate = this.#clock.now() - this.#measuredAt >= MEASURE_QUIET_MS;
    if (!isSure() && this.#isDirty && isLate) this.#measure();
    this.#isRefusing = !isSure();
    this.#say();
    return !this.#isRefusing;
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #schedule(): void {
    if (this.#timer !== null || this.#isStopped) return;
    const isUrgent = this.#word !== 'large' || this.#atMost >= this.#limits.fullBytes;
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
    this.#measured = this.#host.measure();
    this.#atMost = this.#measured;
    this.#measuredAt = this.#clock.now();
    this.#isDirty = false;
    if (this.#measured < this.#limits.fullBytes) this.#isRefusing = false;
    this.#say();
  }

  #say(): void {
    const { largeBytes, fullBytes } = this.#limits;
    const isFull = this.#isRefusing || this.#measured >= fullBytes;
    const word = isFull ? 'full' : this.#measured >= largeBytes ? 'large' : 'ordinary';
    if (word === this.#word) return;
    this.#word = word;
    this.#host.changed();
  }
}

/** The bytes of a document's state (V2) as everybody else has it: undo keeps here what was deleted. */
export function stateBytes(doc: Y.Doc): number {
  const state = Y.encodeStateAsUpdateV2(doc);
  if (!keepsDeleted(doc)) return state.length;
  const copy = newDoc();
  Y.applyUpdateV2(copy, state, ROW);
  const { length } = Y.encodeStateAsUpdateV2(copy);
  copy.destroy();
  return length;
}

function keepsDeleted(doc: Y.Doc): boolean {
  for (const structs of doc.store.clients.values()) {
    for (const struct of structs) {
      if (struct instanceof Y.Item && struct.deleted && !(struct.content instanceof Y.ContentDeleted)) return true;
    }
  }
  return false;
}
