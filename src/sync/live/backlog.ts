// The own edits without an acknowledgement as one update, for live updates: each live update says all of them again (L1). Merged once
// and then only added to: while the log does not answer, thousands wait, and a live update goes out at every other key.
import { MAX_LIVE_UPDATE_BYTES } from '../../protocol/limits.ts';
import { type Batch, type Outbox, mergeUpdates } from '../state/outbox.ts';

/** Session id, numbers, head and caret of a live update take their share. */
const MAX_FRAMED_BYTES = MAX_LIVE_UPDATE_BYTES - 1024;
/** Merging makes edits smaller by at most this factor: what is added above it is not even looked at. */
const MERGE_GAIN = 8;

export class Backlog {
  #merged: Batch | null = null;
  /** The number from which on it was too much for a live update: it only grows until some are acknowledged. */
  #tooMuchFrom = 0;

  /** Null when there is nothing, or more than a live update takes. */
  of(outbox: Outbox): Batch | null {
    const nFrom = outbox.entries[0]?.n ?? 0;
    if (nFrom === 0 || nFrom === this.#tooMuchFrom) return null;
    const before = this.#merged?.nFrom === nFrom ? this.#merged : null;
    const added = outbox.after(before?.nTo ?? 0).map(({ update }) => update);
    const bytes = added.reduce((sum, update) => sum + update.length, 0);
    if (bytes > MERGE_GAIN * MAX_FRAMED_BYTES) return this.#tooMuch(nFrom);
    if (before !== null && added.length === 0) return before;
    const update = mergeUpdates(before === null ? added : [before.update, ...added]);
    if (update.length > MAX_FRAMED_BYTES) return this.#tooMuch(nFrom);
    this.#tooMuchFrom = 0;
    this.#merged = { nFrom, nTo: outbox.lastN, update };
    return this.#merged;
  }

  #tooMuch(nFrom: number): null {
    this.#tooMuchFrom = nFrom;
    this.#merged = null;
    return null;
  }
}
