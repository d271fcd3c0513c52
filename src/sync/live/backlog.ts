// Merges the own unacknowledged edits into one update, because each live update repeats all of them (L1). Merged once,
// they are only added to: while the log does not answer, thousands wait, and a live update goes out at every other key.
// Sends nothing.
import { MAX_LIVE_UPDATE_BYTES } from '../protocol/limits.ts';
import type { Batch, Outbox } from '../state/outbox.ts';
import { mergeUpdates } from '../updates/merge-updates.ts';

/** Session id, numbers, head and caret of a live update take their share. */
const MAX_BACKLOG_BYTES = MAX_LIVE_UPDATE_BYTES - 1024;
/** Merging makes edits smaller by at most this factor, so larger additions are not even tried. */
const MERGE_GAIN = 8;

export class Backlog {
  #merged: Batch | null = null;
  /** The first number of a backlog that was too large. It only grows until some edits are acknowledged. */
  #tooMuchFrom = 0;

  /** Null when there is nothing, or more than fits into a live update. */
  of(outbox: Outbox): Batch | null {
    const nFrom = outbox.entries[0]?.n ?? 0;
    if (nFrom === 0 || nFrom === this.#tooMuchFrom) return null;
    const before = this.#merged?.nFrom === nFrom ? this.#merged : null;
    const added = outbox.after(before?.nTo ?? 0).map(({ update }) => update);
    const bytes = added.reduce((sum, update) => sum + update.length, 0);
    if (bytes > MERGE_GAIN * MAX_BACKLOG_BYTES) return this.#tooMuch(nFrom);
    if (before !== null && added.length === 0) return before;
    const update = mergeUpdates(before === null ? added : [before.update, ...added]);
    if (update.length > MAX_BACKLOG_BYTES) return this.#tooMuch(nFrom);
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
