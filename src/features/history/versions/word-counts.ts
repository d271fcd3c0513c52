// The number of words that editing sessions added and removed, for the visible rows of the list. One is counted at a time, so
// that the page that the reader looks at never waits for more than one.
import { useState } from 'react';
import { Subscribable } from '../../../lib/subscribable.ts';
import type { EditingSessionWords, PageHistory } from '../../../ports/history.ts';
import type { Beginning } from '../../../protocol/history-answers.ts';

type Range = { readonly fromSeq: number; readonly toSeq: number };

const keyOf = ({ fromSeq, toSeq }: Range): string => `${fromSeq}-${toSeq}`;

export class WordCounts {
  readonly #history: Pick<PageHistory, 'wordsOf'>;
  readonly #counts = new Map<string, EditingSessionWords>();
  /**
   * The newest count of an editing session, by its first row. It is shown until the new count is there: each edit changes
   * the range of an editing session that goes on.
   */
  readonly #latest = new Map<number, EditingSessionWords>();
  readonly #changes = new Subscribable();
  #waiting: Range[] = [];
  #isBusy = false;

  constructor(history: Pick<PageHistory, 'wordsOf'>) {
    this.#history = history;
  }

  readonly subscribe = this.#changes.subscribe;
  /** Null until it is counted. */
  readonly get = (range: Range): EditingSessionWords | null =>
    this.#counts.get(keyOf(range)) ?? this.#latest.get(range.fromSeq) ?? null;

  /** Returns a function for a row that goes out of sight before it is counted. */
  ask(range: Range): () => void {
    if (!this.#counts.has(keyOf(range))) this.#waiting.push(range);
    if (!this.#isBusy) void this.#run();
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== range);
    };
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    for (let range = this.#waiting.shift(); range !== undefined; range = this.#waiting.shift()) {
      if (this.#counts.has(keyOf(range))) continue;
      const answer = await this.#history.wordsOf(range);
      if (!answer.ok) continue;
      this.#counts.set(keyOf(range), answer.value);
      this.#latest.set(range.fromSeq, answer.value);
      this.#changes.notify();
    }
    this.#isBusy = false;
  }
}

/** Counts anew when the history began again. */
export function useWordCounts(history: PageHistory, beginning: Beginning | null): WordCounts {
  const [made, setMade] = useState(() => ({ history, beginning, counts: new WordCounts(history) }));
  if (made.history === history && made.beginning === beginning) return made.counts;
  const next = { history, beginning, counts: new WordCounts(history) };
  setMade(next);
  return next.counts;
}
