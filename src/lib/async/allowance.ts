// An amount that many share, such as how much may be drawn on one page.
import type { Cancel } from '../cancel.ts';

export class Allowance {
  #left: number;

  constructor(amount: number) {
    this.#left = amount;
  }

  /** Takes a part, and returns how to give it back; null if not enough is left. */
  take(amount: number): Cancel | null {
    if (amount > this.#left) return null;
    this.#left -= amount;
    let isTaken = true;
    return () => {
      if (isTaken) this.#left += amount;
      isTaken = false;
    };
  }
}
