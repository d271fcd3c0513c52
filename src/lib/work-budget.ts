// How much work one comparison may do. A hostile page could cost minutes; with an empty budget, comparing goes on with the
// cheap ways alone, whose results are coarser.

/** Steps of inner loops: about 100 ms. */
const MAX_STEPS = 12_000_000;

export class WorkBudget {
  #left: number;

  constructor(steps = MAX_STEPS) {
    this.#left = steps;
  }

  /** False, and nothing taken, if there are not so many left. */
  take(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }
}
