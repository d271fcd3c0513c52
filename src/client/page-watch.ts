// Watches one page by its link and hands out the changes, in batches. A slow reader stops the rows, not the process.
import { type PageContent, pageContentOf } from 'weft-document/body/page-content.ts';
import { titleText } from 'weft-document/title.ts';
import type { LinkWatch } from 'weft-sync/session/session-api.ts';
import type { WatchedLog } from 'weft-sync/session/watched-page.ts';
import * as Y from 'yjs';
import type { Bytes } from '../lib/bytes.ts';
import { findProject } from './find-project.ts';
import { LINK_TO_JOIN, openLink } from './open-link.ts';
import { type PageChange, type PageState, pageChange, weightOf } from './page-change.ts';
import { WatchError } from './watch-error.ts';
import type { WatchLink } from './watch-link.ts';
import '../yjs/install.ts';

/** At most this many changes may wait for the reader. */
const MAX_WAITING = 256;
const MAX_WAITING_CHARACTERS = 8_000_000;

/** The page before the changes, the changes, and the page after the last of them. */
export type ChangesBatch = {
  readonly before: PageState;
  readonly changes: readonly PageChange[];
  readonly page: PageState;
};

/** `at`: when the row `seq` was written (HI1). */
export type StoredPage = { readonly seq: number; readonly at: number | null; readonly state: Bytes };

/** Changes after `seq` are reported. `stored` is the page at that row or at an earlier one: rows in between are fetched. */
export type Start = { readonly seq: number; readonly stored: StoredPage | null };

export type PageWatchOptions = {
  /** Null: from now on. */
  readonly start: Start | null;
  /** How long the first answer may take, and later answers; null: as long as it takes. */
  readonly openWithinMs: number | null;
  readonly timeoutMs: number | null;
  /** Ends when everything up to now is handed out. */
  readonly isOnce: boolean;
  readonly onConnection?: (isLive: boolean, title: string) => void;
};

export class PageWatch {
  readonly #options: PageWatchOptions;
  readonly #ended = new AbortController();
  #session: LinkWatch | null = null;
  #content: () => PageContent = () => ({ title: '', blocks: [] });
  #last: { readonly seq: number; readonly at: string | null } = { seq: 0, at: null };
  /** The page at the newest row here; null before the row from which changes are reported. */
  #page: PageState | null = null;
  /** The page at the last change that was handed out. */
  #handedOut: PageState | null = null;
  #waiting: PageChange[] = [];
  #weight = 0;
  #isFull = false;
  #isCaughtUp = false;
  #error: WatchError | null = null;
  #reason = '';
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isLive = false;
  #wakers: (() => void)[] = [];

  constructor(link: WatchLink, options: PageWatchOptions) {
    this.#options = options;
    this.#startTimer(options.openWithinMs);
    void this.#open(link);
  }

  /**
   * The page at which watching begins: at the row to go on from, otherwise the present one. Null if it was closed
   * before; throws the error that ended it before.
   */
  async start(): Promise<PageState | null> {
    while (this.#handedOut === null && !this.#isOver) await this.#somethingNew();
    if (this.#handedOut === null && this.#error !== null) throw this.#error;
    return this.#handedOut;
  }

  /** All changes since the last call, as soon as there is one. Null at the end; throws the error that ended it. */
  async next(): Promise<ChangesBatch | null> {
    for (;;) {
      const batch = this.#takeBatch();
      if (batch !== null) return batch;
      if (this.#error !== null) throw this.#error;
      if (this.#isOver || (this.#options.isOnce && this.#isCaughtUp)) return null;
      await this.#somethingNew();
    }
  }

  /** The page at the newest change that has arrived; null before the first page. */
  page(): PageState | null {
    return this.#page;
  }

  /** The point at which another watch may go on: after the last change handed out. Null before the first page. */
  position(): Start | null {
    const [page, session] = [this.#handedOut, this.#session];
    if (page === null) return null;
    // While changes wait, the document is ahead of the reader.
    const isSame = session !== null && page.seq === this.#page?.seq && !this.#isOver;
    const state = isSame ? new Uint8Array(Y.encodeStateAsUpdateV2(session.doc)) : null;
    const at = session?.shownSeq === page.seq ? session.shownAt : null;
    return {
      seq: page.seq,
      stored: state === null ? null : { seq: page.seq, at, state },
    };
  }

  close(): void {
    this.#end(null);
  }

  get #isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  async #open({ origin, secret }: WatchLink): Promise<void> {
    try {
      const project = await findProject(origin, this.#ended.signal, (reason) => (this.#reason = reason));
      if (this.#isOver) return;
      const { start } = this.#options;
      const stored = start?.stored ?? null;
      const from =
        start === null ? null : { seq: stored?.seq ?? start.seq, at: stored?.at ?? null, state: stored?.state ?? null };
      const session = openLink(project, secret, { from, log: this.#log });
      this.#session = session;
      this.#content = pageContentOf(session.doc);
      // A stored page that cannot be applied leaves the document empty, and all rows come again.
      if (stored !== null && session.doc.store.clients.size > 0) this.#last = { seq: stored.seq, at: null };
      if (start !== null && this.#last.seq === start.seq) this.#begin();
      session.subscribe(() => this.#viewChanged(session));
    } catch (error) {
      this.#end(error instanceof WatchError ? error : new WatchError('unreachable', String(error)));
    }
  }

  readonly #log: WatchedLog = {
    advanced: ({ seq, at, isDamaged }) => {
      this.#answered();
      this.#last = { seq, at: at === null ? null : new Date(at).toISOString() };
      const before = this.#page;
      if (before === null) {
        // Rows before the place to go on from are not compared: there may be many.
        if (this.#options.start !== null && seq >= this.#options.start.seq) this.#begin();
        return true;
      }
      this.#page = { ...this.#content(), ...this.#last };
      const change = pageChange(before, this.#page, isDamaged);
      this.#waiting.push(change);
      this.#weight += weightOf(change);
      this.#isFull = this.#waiting.length >= MAX_WAITING || this.#weight >= MAX_WAITING_CHARACTERS;
      this.#wake();
      return !this.#isFull;
    },
    replaced: () => {
      const { doc } = this.#session ?? {};
      if (doc !== undefined) this.#content = pageContentOf(doc);
      const isSame = this.#handedOut === this.#page;
      // An erasure is no one's change: the erased words must not be reported again as removed.
      if (this.#page !== null) this.#page = { ...this.#content(), seq: this.#page.seq, at: this.#page.at };
      if (isSame) this.#handedOut = this.#page;
    },
    caughtUp: (changedAt) => {
      this.#answered();
      if (changedAt !== null) this.#last = { ...this.#last, at: new Date(changedAt).toISOString() };
      if (this.#page === null && this.#options.start === null) this.#begin();
      if (this.#page === null) this.#end(new WatchError('otherHistory'));
      this.#isCaughtUp = true;
      this.#wake();
    },
  };

  /** From here on changes are reported. */
  #begin(): void {
    this.#page = { ...this.#content(), ...this.#last };
    this.#handedOut = this.#page;
    this.#wake();
  }

  #takeBatch(): ChangesBatch | null {
    const [before, page, changes] = [this.#handedOut, this.#page, this.#waiting];
    if (before === null || page === null || changes.length === 0) return null;
    this.#handedOut = page;
    this.#waiting = [];
    this.#weight = 0;
    if (this.#isFull) {
      this.#isFull = false;
      this.#isCaughtUp = false;
      this.#session?.retry();
    }
    return { before, changes, page };
  }

  #viewChanged(session: LinkWatch): void {
    const { phase, error } = session.getView();
    if (phase === 'ended' && error?.detail === LINK_TO_JOIN) {
      this.#end(new WatchError('badLink', LINK_TO_JOIN));
      return;
    }
    if (phase === 'ended') {
      const wasOpen = this.#last.seq > 0 || this.#options.start !== null;
      this.#end(new WatchError(wasOpen ? 'revoked' : 'badLink'));
      return;
    }
    if (phase === 'failed') {
      this.#end(new WatchError(error?.code === 'WF004' ? 'newerPage' : 'otherHistory'));
      return;
    }
    if (error !== null) {
      this.#reason = error.detail;
      if (this.#last.seq > 0) this.#startTimer(this.#options.timeoutMs);
    }
    if (phase === 'opening' || (phase === 'live') === this.#isLive) return;
    this.#isLive = phase === 'live';
    // The view's title is the copy for lists, which may be seconds old.
    this.#options.onConnection?.(this.#isLive, titleText(session.doc));
  }

  /** The server answers, so nothing is unreachable. */
  #answered(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #startTimer(ms: number | null): void {
    if (ms === null || this.#timer !== null || this.#isOver) return;
    this.#timer = setTimeout(() => this.#end(new WatchError('unreachable', this.#reason)), ms);
  }

  #end(error: WatchError | null): void {
    if (this.#isOver) return;
    this.#error = error;
    this.#answered();
    this.#ended.abort();
    this.#session?.close();
    this.#wake();
  }

  #somethingNew(): Promise<void> {
    return new Promise((resolve) => this.#wakers.push(resolve));
  }

  #wake(): void {
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }
}
