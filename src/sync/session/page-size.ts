// How large a page is, and whether it may grow (SZ2, SZ3). Counts what comes in, which is always enough or too much, and
// measures only near a limit. Knows no editor: whoever writes asks before.
import * as encoding from 'lib0/encoding';
import * as Y from 'yjs';
import type { Cancel } from '../../lib/cancel.ts';
import type { Clock } from '../ports.ts';

/** Of the state, Yjs V2, not deflated (SPECIFICATION.md, point 5). */
export type PageLimits = { readonly largeBytes: number; readonly fullBytes: number };
export const PAGE_LIMITS: PageLimits = { largeBytes: 10 * 1024 * 1024, fullBytes: 20 * 1024 * 1024 };

export type PageSizeLevel = 'ordinary' | 'large' | 'full';

/** Measuring takes as long as a few live updates: not while somebody types, … */
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
  #level: PageSizeLevel = 'ordinary';
  #timer: { readonly cancel: Cancel; readonly due: number } | null = null;
  #isStopped = false;

  constructor(host: PageSizeHost, clock: Clock, limits: PageLimits = PAGE_LIMITS) {
    this.#host = host;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** `full` also after growth was refused, until something smaller finds room. */
  get level(): PageSizeLevel {
    return this.#level;
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
    this.#measured = this.#host.measure();
    this.#atMost = this.#measured;
    this.#measuredAt = this.#clock.now();
    this.#isDirty = false;
    if (this.#measured < this.#limits.fullBytes) this.#isRefusing = false;
    this.#updateLevel();
  }

  #updateLevel(): void {
    const { largeBytes, fullBytes } = this.#limits;
    const isFull = this.#isRefusing || this.#measured >= fullBytes;
    const word = isFull ? 'full' : this.#measured >= largeBytes ? 'large' : 'ordinary';
    if (word === this.#level) return;
    this.#level = word;
    this.#host.changed();
  }
}

/**
 * The bytes of a document's state (V2) as everybody else has it: undo keeps here what was deleted. Written as Yjs writes
 * it, with what it would leave of them; a copy without them took five seconds after the redo of 5 MB, because
 * Yjs takes each out of its list for itself.
 */
export function stateBytes(doc: Y.Doc): number {
  const encoder = new Y.UpdateEncoderV2();
  for (const [client, structs] of doc.store.clients) {
    const written = structsWithoutKept(structs);
    encoding.writeVarUint(encoder.restEncoder, written.length);
    encoder.writeClient(client);
    encoding.writeVarUint(encoder.restEncoder, 0);
    for (const struct of written) struct.write(encoder, 0);
  }
  for (const [client, ranges] of Y.createDeleteSetFromStructStore(doc.store).clients) {
    encoder.resetDsCurVal();
    encoding.writeVarUint(encoder.restEncoder, client);
    for (const { clock, len } of ranges) {
      encoder.writeDsClock(clock);
      encoder.writeDsLen(len);
    }
  }
  return encoder.toUint8Array().length;
}

function structsWithoutKept(structs: readonly (Y.GC | Y.Item)[]): readonly (Y.GC | Y.Item)[] {
  const written: (Y.GC | Y.Item)[] = [];
  for (const struct of structs) {
    const one = struct instanceof Y.Item && struct.deleted ? forgotten(struct) : struct;
    const before = written.at(-1);
    const whole = before === undefined || one === struct ? null : together(before, one);
    if (whole !== null) written.pop();
    written.push(whole ?? one);
  }
  return written;
}

/** What Yjs leaves of a deleted item that nobody keeps: less where its parent is deleted too. */
function forgotten({ id, length, origin, rightOrigin, parent, parentSub }: Y.Item): Y.GC | Y.Item {
  if (parent instanceof Y.AbstractType && parent._item?.deleted === true) return new Y.GC(id, length);
  return new Y.Item(id, null, origin, null, rightOrigin, parent, parentSub, new Y.ContentDeleted(length));
}

function together(left: Y.GC | Y.Item, right: Y.GC | Y.Item): Y.GC | Y.Item | null {
  if (left instanceof Y.GC) return right instanceof Y.GC ? new Y.GC(left.id, left.length + right.length) : null;
  if (!(left.content instanceof Y.ContentDeleted) || !(right instanceof Y.Item)) return null;
  const follows =
    right.origin !== null && right.origin.client === left.id.client && right.origin.clock === right.id.clock - 1;
  if (!follows) return null;
  const { id, origin, rightOrigin, parent, parentSub, length } = left;
  const content = new Y.ContentDeleted(length + right.length);
  return new Y.Item(id, null, origin, null, rightOrigin, parent, parentSub, content);
}
