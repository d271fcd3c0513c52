// Erases a passage of a page for good: reads the page's whole history, finds the letters and the bytes that hold them, and has the
// database overwrite these. Rows that were appended meanwhile are searched too, until there is none that was not.
import type { FoundPassage } from '../../../document/history/find-passage.ts';
import type { LetterRange, LetterRanges } from '../../../document/history/letter-set.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import { type Result, err, ok } from '../../../lib/result.ts';
import { Subscribable } from '../../../lib/subscribable.ts';
import type { WeftError } from '../../../protocol/errors.ts';
import type { ErasureAnswer } from '../../../protocol/history-answers.ts';
import type { EraseFailure, Erasure, ErasureView, HistoryFailure, HistoryView } from '../../../state/ports/history.ts';
import type { ErasedRow } from '../../../sync/log/erased-rows.ts';
import type { OpenedHistory } from './opened-history.ts';

/** After the first round only tabs that know of the erasure can append, so few rows are new. */
const MAX_ROUNDS = 10;

/** A call of the database. Repeated as it is if its answer was lost, because it may have been done. */
type Call = {
  readonly id: string;
  readonly rows: readonly ErasedRow[];
  readonly title: string;
  /** The rows up to here were searched for it. */
  readonly head: number;
};

type Ports = {
  /** With `keepsErased`, rows that were read stay as they were when something is erased from them. */
  readonly open: (keepsErased: boolean) => OpenedHistory;
  readonly erase: (call: Call) => Promise<Result<ErasureAnswer, WeftError>>;
};

type Failed = Result<never, EraseFailure>;

export class PageErasure implements Erasure {
  readonly #chosen: readonly LetterRange[];
  readonly #ports: Ports;
  readonly #changes = new Subscribable();
  /** With the words as they were when the erasure began: in the log they are overwritten after the first round. */
  readonly #history: OpenedHistory;
  #view: ErasureView = { phase: 'reading' };
  #words: readonly string[] = [];
  #unanswered: Call | null = null;
  #searching: Promise<Result<FoundPassage, EraseFailure>> | null = null;

  constructor(chosen: readonly LetterRange[], ports: Ports) {
    this.#chosen = chosen;
    this.#ports = ports;
    this.#history = ports.open(true);
    void this.look();
  }

  readonly getView = (): ErasureView => this.#view;
  readonly subscribe = (run: () => void): Cancel => this.#changes.subscribe(run);

  readonly look = async (): Promise<void> => {
    this.#show({ phase: 'reading' });
    const found = await this.#search();
    this.#show(found.ok ? { phase: 'ready', copies: copiesOf(found.value) } : { phase: 'failed', reason: found.error });
  };

  readonly erase = async (withCopies: boolean): Promise<Result<void, EraseFailure>> => {
    const shown = this.#view.phase === 'ready' ? (this.#view.copies ?? 0) : 0;
    const isFirst = this.#unanswered === null;
    const found = await this.#search();
    if (!found.ok) return found;
    if (isFirst && withCopies && found.value.copies > shown) {
      this.#show({ phase: 'ready', copies: copiesOf(found.value) });
      return err('moreCopies');
    }
    return this.#eraseAll(found.value, withCopies);
  };

  readonly close = (): void => this.#history.close();

  async #eraseAll(first: FoundPassage, withCopies: boolean): Promise<Result<void, EraseFailure>> {
    let found = first;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const letters = withCopies ? found.withCopies : found.letters;
      let call = this.#unanswered;
      if (call === null) {
        const next = await this.#callFor(letters, round === 0 ? this.#history : null);
        if (!next.ok) return next;
        // Later, nothing is left of them in any row that the database had at the last answer.
        if (next.value === null) return round === 0 ? err('failed') : ok(undefined);
        call = next.value;
      }
      this.#unanswered = call;
      const answer = await this.#ports.erase(call);
      if (!answer.ok) return answer;
      this.#unanswered = null;
      if (answer.value.erased && Math.max(answer.value.head, this.#head) <= call.head) return ok(undefined);
      // Somebody appended rows, compacted the log or erased something else.
      const again = await this.#search();
      if (!again.ok) return again;
      found = again.value;
    }
    return err('failed');
  }

  get #head(): number {
    const view = this.#history.getView();
    return view.phase === 'ready' ? view.head : 0;
  }

  #search(): Promise<Result<FoundPassage, EraseFailure>> {
    return (this.#searching ??= this.#searchNow().finally(() => {
      this.#searching = null;
    }));
  }

  async #searchNow(): Promise<Result<FoundPassage, EraseFailure>> {
    await this.#history.refresh();
    const failure = failureOf(this.#history.getView());
    if (failure !== null) return failure;
    const found = await this.#history.passage(this.#chosen, this.#words);
    if (!found.ok) return notFound(found.error);
    this.#words = found.value.words;
    return found;
  }

  /** The call that erases what the rows of `known`, or those that the server has by now, still hold. Null if they hold nothing. */
  async #callFor(letters: LetterRanges, known: OpenedHistory | null): Promise<Result<Call | null, EraseFailure>> {
    const history = known ?? this.#ports.open(false);
    try {
      if (known === null) {
        await history.refresh();
        const failure = failureOf(history.getView());
        if (failure !== null) return failure;
      }
      const rows = await history.rowsWith(letters);
      if (!rows.ok) return notFound(rows.error);
      if (rows.value.length === 0) return ok(null);
      const title = await this.#history.titleWithout(letters);
      if (!title.ok) return notFound(title.error);
      return ok({ id: randomUuid(), rows: rows.value, title: title.value.title, head: this.#head });
    } finally {
      if (history !== this.#history) history.close();
    }
  }

  #show(view: ErasureView): void {
    this.#view = view;
    this.#changes.notify();
  }
}

const copiesOf = ({ copies, words }: FoundPassage): number | null => (words.length === 0 ? null : copies);

function failureOf(view: HistoryView): Failed | null {
  if (view.phase !== 'failed') return null;
  return err(view.reason === 'gap' || view.reason === 'tooLarge' ? 'failed' : view.reason);
}

const notFound = (failure: HistoryFailure): Failed => err(failure === 'unknownRow' ? 'notSaved' : failure);
