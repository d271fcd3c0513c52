// Somebody who compacts the page's history and erases passages from it, while everybody else goes on.
import type { Row } from '../../../src/protocol/row.ts';
import { compactRows } from '../../../src/sync/log/compact-rows.ts';
import { placesIn } from '../../../src/sync/log/erased-rows.ts';
import type { LetterRanges } from '../../../src/sync/updates/text-places.ts';
import type { MemoryServer } from '../../memory/memory-server.ts';
import type { SimClock } from '../../memory/sim-clock.ts';
import { DOCUMENT } from '../../sync/sync-harness.ts';
import type { LogChecker } from '../checks/log-checker.ts';
import type { Network } from './network.ts';

/** Rows as young as that stay. The database asks for a day. */
const YOUNG_MS = 1_000;

export class SimManager {
  readonly #clock: SimClock;
  readonly #server: MemoryServer;
  readonly #network: Network;
  readonly #checker: LogChecker;

  constructor(clock: SimClock, server: MemoryServer, network: Network, checker: LogChecker) {
    this.#clock = clock;
    this.#server = server;
    this.#network = network;
    this.#checker = checker;
  }

  compact(youngMs = YOUNG_MS): void {
    const old = this.#rows.filter(({ at = 0 }) => at < this.#clock.now() - youngMs);
    // A version is after one of the rows.
    const version = old[Math.floor(this.#network.random() * old.length)]?.seq ?? 0;
    const { content, damaged } = this.#checker;
    const runs = compactRows(old, {
      before: Number.POSITIVE_INFINITY,
      kept: new Set(damaged),
      ends: new Set([version]),
      until: Number.POSITIVE_INFINITY,
    });
    for (const run of runs) {
      this.#server.compact(DOCUMENT, run);
      this.#checker.history.compacted(run.row);
      this.#network.coverage.count('rows compacted');
    }
    this.#network.note(`compacts ${runs.length}`);
    this.#checker.replayAgain();
    this.#checker.expectSame('[LG10] the page after compacting', this.#checker.content, content);
  }

  async eraseSome(): Promise<void> {
    const letters = this.#checker.somePassage(this.#network.random);
    if (letters !== null) await this.erase(letters);
  }

  /** Reads the rows and has letters overwritten, until no row has them: others may append some of them again in between. */
  async erase(letters: LetterRanges): Promise<void> {
    for (;;) {
      const rows = new Map(this.#rows.map((row) => [row.seq, row]));
      const places = placesIn([...rows.values()], letters);
      if (places.length === 0) break;
      await new Promise<void>((resolve) => void this.#clock.after(this.#network.between(20, 600), resolve));
      const isDone = this.#server.erase(
        DOCUMENT,
        places.flatMap((one) => {
          const row = rows.get(one.seq);
          return row === undefined ? [] : { ...one, row };
        }),
      );
      if (!isDone) continue;
      this.#network.coverage.count('passage erased');
      this.#network.note('erases');
      this.#checker.history.erased(letters);
      this.#checker.replayAgain();
    }
  }

  get #rows(): readonly Row[] {
    return this.#server.rows(DOCUMENT);
  }
}
