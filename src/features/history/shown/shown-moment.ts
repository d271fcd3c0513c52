// Asks for the page at a moment, always for the newest wish: while an answer is on its way, wishes in between are dropped.
import type { Result } from '../../../lib/result.ts';
import { Subscribable } from '../../../lib/subscribable.ts';
import type { Beginning } from '../../../protocol/history-answers.ts';
import type {
  AuthoredPage,
  HistoryChanges,
  HistoryFailure,
  PageAtMoment,
  PageHistory,
} from '../../../ports/history.ts';

export type Mode = 'changes' | 'authors' | 'plain';
/** `from` is the row with which `seq` is compared. */
export type Wish = {
  readonly mode: Mode;
  readonly seq: number;
  readonly from: number;
  /** Another one: the page has to be read again, because words were erased from it. */
  readonly beginning: Beginning | null;
};

export type Found =
  | { readonly mode: 'changes'; readonly wish: Wish; readonly changes: HistoryChanges }
  | { readonly mode: 'authors'; readonly wish: Wish; readonly authored: AuthoredPage }
  | { readonly mode: 'plain'; readonly wish: Wish; readonly page: PageAtMoment };

export type MomentState = {
  /** The last answer stays until the next one is here. */
  readonly found: Found | null;
  readonly failure: HistoryFailure | null;
  readonly isBusy: boolean;
};

type Asked = Pick<PageHistory, 'pageAt' | 'authors' | 'changes'>;

export class ShownMoment {
  readonly #history: Asked;
  readonly #changes = new Subscribable();
  #state: MomentState = { found: null, failure: null, isBusy: false };
  #next: Wish | null = null;
  #last: Wish | null = null;

  constructor(history: Asked) {
    this.#history = history;
  }

  readonly subscribe = this.#changes.subscribe;
  readonly get = (): MomentState => this.#state;

  show(wish: Wish): void {
    const last = this.#next ?? this.#last;
    if (last !== null && isSame(last, wish) && this.#state.failure === null) return;
    this.#next = wish;
    if (!this.#state.isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    for (let wish = this.#next; wish !== null; wish = this.#next) {
      this.#next = null;
      this.#last = wish;
      this.#set({ ...this.#state, isBusy: true });
      const answer = await this.#ask(wish);
      const state = answer.ok ? { found: answer.value, failure: null } : { ...this.#state, failure: answer.error };
      this.#set({ ...state, isBusy: true });
    }
    this.#set({ ...this.#state, isBusy: false });
  }

  async #ask(wish: Wish): Promise<Result<Found, HistoryFailure>> {
    switch (wish.mode) {
      case 'changes': {
        const answer = await this.#history.changes(wish.from, wish.seq);
        return answer.ok ? { ok: true, value: { mode: 'changes', wish, changes: answer.value } } : answer;
      }
      case 'authors': {
        const answer = await this.#history.authors(wish.seq);
        return answer.ok ? { ok: true, value: { mode: 'authors', wish, authored: answer.value } } : answer;
      }
      case 'plain': {
        const answer = await this.#history.pageAt(wish.seq);
        return answer.ok ? { ok: true, value: { mode: 'plain', wish, page: answer.value } } : answer;
      }
    }
  }

  #set(state: MomentState): void {
    this.#state = state;
    this.#changes.notify();
  }
}

const isSame = (one: Wish, other: Wish): boolean =>
  one.mode === other.mode &&
  one.seq === other.seq &&
  one.beginning === other.beginning &&
  (one.mode !== 'changes' || one.from === other.from);
