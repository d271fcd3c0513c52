// Asks for the page at a moment, always for the newest request: while an answer is on its way, requests in between are dropped.
import type { Result } from '../../../lib/result.ts';
import { Subscribable } from '../../../lib/subscribable.ts';
import type {
  AuthoredPage,
  HistoryChanges,
  HistoryFailure,
  PageAtMoment,
  PageHistory,
} from '../../../ports/history.ts';
import type { Beginning } from '../../../protocol/history-answers.ts';

export type Mode = 'changes' | 'authors' | 'plain';
/** `from` is the row with which `seq` is compared. */
export type MomentRequest = {
  readonly mode: Mode;
  readonly seq: number;
  readonly from: number;
  /** If it is not that of the last request, words were erased from the page since, and it is read again. */
  readonly beginning: Beginning | null;
};

export type Found =
  | { readonly mode: 'changes'; readonly request: MomentRequest; readonly changes: HistoryChanges }
  | { readonly mode: 'authors'; readonly request: MomentRequest; readonly authored: AuthoredPage }
  | { readonly mode: 'plain'; readonly request: MomentRequest; readonly page: PageAtMoment };

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
  #next: MomentRequest | null = null;
  #last: MomentRequest | null = null;

  constructor(history: Asked) {
    this.#history = history;
  }

  readonly subscribe = this.#changes.subscribe;
  readonly get = (): MomentState => this.#state;

  show(request: MomentRequest): void {
    const last = this.#next ?? this.#last;
    if (last !== null && isSame(last, request) && this.#state.failure === null) return;
    this.#next = request;
    if (!this.#state.isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    for (let request = this.#next; request !== null; request = this.#next) {
      this.#next = null;
      this.#last = request;
      this.#set({ ...this.#state, isBusy: true });
      const answer = await this.#ask(request);
      const state = answer.ok ? { found: answer.value, failure: null } : { ...this.#state, failure: answer.error };
      this.#set({ ...state, isBusy: true });
    }
    this.#set({ ...this.#state, isBusy: false });
  }

  async #ask(request: MomentRequest): Promise<Result<Found, HistoryFailure>> {
    switch (request.mode) {
      case 'changes': {
        const answer = await this.#history.changes(request.from, request.seq);
        return answer.ok ? { ok: true, value: { mode: 'changes', request, changes: answer.value } } : answer;
      }
      case 'authors': {
        const answer = await this.#history.authors(request.seq);
        return answer.ok ? { ok: true, value: { mode: 'authors', request, authored: answer.value } } : answer;
      }
      case 'plain': {
        const answer = await this.#history.pageAt(request.seq);
        return answer.ok ? { ok: true, value: { mode: 'plain', request, page: answer.value } } : answer;
      }
    }
  }

  #set(state: MomentState): void {
    this.#state = state;
    this.#changes.notify();
  }
}

const isSame = (one: MomentRequest, other: MomentRequest): boolean =>
  one.mode === other.mode &&
  one.seq === other.seq &&
  one.beginning === other.beginning &&
  (one.mode !== 'changes' || one.from === other.from);
