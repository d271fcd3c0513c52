// When the shown page was last changed: the time that the database gave the newest row.
import type { Clock } from '../ports.ts';
import type { Row } from '../protocol/row.ts';

export class ChangeTime {
  #at: number | null = null;

  /** By the clock of the database. */
  get at(): number | null {
    return this.#at;
  }

  /** An answer or this device knows the time of a row that is not taken here, because a snapshot contains it. */
  raise(at: number | undefined): void {
    if (at !== undefined && at > (this.#at ?? Number.NEGATIVE_INFINITY)) this.#at = at;
  }

  rowsTaken(rows: readonly Row[]): void {
    for (const { at } of rows) this.raise(at);
  }

  /**
   * By this device's clock, which may be wrong by hours, and never later than now: a change is not in the future. Whole
   * seconds, so that a view does not change with every row.
   */
  shown(clock: Clock): number | null {
    if (this.#at === null) return null;
    const at = Math.min(clock.fromServer?.(this.#at) ?? this.#at, clock.now());
    return Math.floor(at / 1000) * 1000;
  }
}
