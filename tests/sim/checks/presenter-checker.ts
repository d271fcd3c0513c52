// Checks the presenters that one tab or watcher shows, as they come: never an older one than it has shown before. In a
// simulated world every place has another number of characters before it.
import type { Presenter } from 'weft-sync/live/shown-presenter.ts';
import type { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import type { LogChecker } from './log-checker.ts';

export class PresenterChecker {
  readonly #server: MemoryServer;
  readonly #checker: LogChecker;
  readonly #name: string;
  #shown: Presenter | null = null;
  /** The database sent the shown presenter at this time, or later. */
  #saidAt = 0;

  constructor(server: MemoryServer, checker: LogChecker, name: string) {
    this.#server = server;
    this.#checker = checker;
    this.#name = name;
  }

  viewChanged(presenter: Presenter | null): void {
    if (presenter === this.#shown) return;
    this.#shown = presenter;
    // The own place is shown before the database knows it.
    if (presenter?.place == null || presenter.isOwn) return;
    const said = this.#server.presentedAt(DOCUMENT, presenter.place.offset);
    this.#checker.expectSame(`[PR2] a presenter shown by ${this.#name} that the database named`, said !== null, true);
    const [first, last] = said ?? [0, Number.POSITIVE_INFINITY];
    this.#checker.expectSame(`[PR2] an older presenter shown again by ${this.#name}`, last < this.#saidAt, false);
    this.#saidAt = Math.max(this.#saidAt, first);
  }
}
