// Someone who compacts the page's history and erases passages from it, while everyone else goes on.
import type { CharacterRange } from 'weft-document/history/character-ids.ts';
import { erasedPage } from 'weft-document/history/erased-page.ts';
import { compactRows } from 'weft-sync/log/compact-rows.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import { emptyLog } from 'weft-sync/recovery/replay-log.ts';
import type { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import type { SimClock } from 'weft-sync/testing/sim-clock.ts';
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
    const characters = this.#checker.somePassage(this.#network.random);
    if (characters !== null) await this.erase(characters);
  }

  /** Reads the page while no one appends, and has its history begin again without the characters. */
  async erase(characters: readonly CharacterRange[]): Promise<void> {
    const head = this.#server.prepareErasing(DOCUMENT);
    await new Promise<void>((resolve) => void this.#clock.after(this.#network.between(20, 600), resolve));
    const { doc, replica } = emptyLog();
    replica.take(this.#rows);
    if (!this.#server.eraseHistory(DOCUMENT, head, erasedPage(doc, characters).update)) return;
    this.#network.coverage.count('passage erased');
    this.#network.note('erases');
    this.#checker.beganAgain(characters);
  }

  get #rows(): readonly Row[] {
    return this.#server.rows(DOCUMENT);
  }
}
