// Counts how live updates fared on the pages of this tab, closed ones included, for `/status`. In memory only.
import type { LiveDiagnostics } from 'weft-sync/session/views.ts';

/** Why own edits go out only as rows although others are there. */
export type FallbackReason = Exclude<NonNullable<LiveDiagnostics['withoutText']>, 'alone'>;

export type LiveCounts = Pick<LiveDiagnostics, 'shownLive' | 'shownByRow' | 'slowdowns'> & {
  /** An own edit went out in a live update. */
  readonly hasSentText: boolean;
  /** How often own edits began to go out only as rows. */
  readonly fallbacks: ReadonlyMap<FallbackReason, number>;
};

export const NO_LIVE_COUNTS: LiveCounts = {
  shownLive: 0,
  shownByRow: 0,
  slowdowns: 0,
  hasSentText: false,
  fallbacks: new Map(),
};

/** The counts of one page. */
export class PageLiveCounts {
  readonly #fallbacks = new Map<FallbackReason, number>();
  /** The reason that was counted last, while it lasts. */
  #current: FallbackReason | null = null;
  #hasSentText = false;
  #wasShared = false;

  /** The session's view changed, as it does at every edit. A reason without an edit that waits delays nothing. */
  observe({ withoutText, others }: LiveDiagnostics, hasUnsent: boolean): void {
    if (others > 0) this.#wasShared = true;
    if (hasUnsent && withoutText === null) this.#hasSentText = true;
    const reason = withoutText === 'alone' ? null : withoutText;
    if (reason === this.#current) return;
    this.#current = hasUnsent ? reason : null;
    if (this.#current !== null) this.#fallbacks.set(this.#current, (this.#fallbacks.get(this.#current) ?? 0) + 1);
  }

  /**
   * Before the live topic is joined no one knows whether others are there. So reasons are counted all the time, but left
   * out if no one else ever was on the page.
   */
  read({ shownLive, shownByRow, slowdowns }: LiveDiagnostics): LiveCounts {
    const wasShared = this.#wasShared || shownLive + shownByRow > 0;
    const fallbacks = wasShared ? new Map(this.#fallbacks) : NO_LIVE_COUNTS.fallbacks;
    return { shownLive, shownByRow, slowdowns, hasSentText: this.#hasSentText, fallbacks };
  }
}

export function sumOfLiveCounts(pages: readonly LiveCounts[]): LiveCounts {
  const fallbacks = new Map<FallbackReason, number>();
  for (const page of pages)
    for (const [reason, count] of page.fallbacks) fallbacks.set(reason, (fallbacks.get(reason) ?? 0) + count);
  return {
    shownLive: pages.reduce((sum, page) => sum + page.shownLive, 0),
    shownByRow: pages.reduce((sum, page) => sum + page.shownByRow, 0),
    slowdowns: pages.reduce((sum, page) => sum + page.slowdowns, 0),
    hasSentText: pages.some((page) => page.hasSentText),
    fallbacks,
  };
}
