// From which letters others were copied, as far as CopiedText followed them.
import type { LetterSet } from './letter-set.ts';

type Link = {
  readonly client: number;
  readonly clock: number;
  readonly length: number;
  readonly fromClient: number;
  readonly fromClock: number;
  /** The original was deleted: the letters were moved, and stand in one place as before. */
  readonly isMove: boolean;
};

export class CopyLinks {
  readonly #links: Link[] = [];

  /** An original is older than its copies: links are added in the order of rows. */
  add(link: Link): void {
    this.#links.push(link);
  }

  /** Adds what these letters were copied from, and then what was copied from any of all those. */
  follow(letters: LetterSet, movesAlone: boolean): void {
    const links = movesAlone ? this.#links.filter(({ isMove }) => isMove) : this.#links;
    for (const { client, clock, length, fromClient, fromClock } of links.toReversed())
      for (const [from, to] of letters.within(client, clock, length))
        letters.add(fromClient, fromClock + from - clock, to - from);
    for (const { client, clock, length, fromClient, fromClock } of links)
      for (const [from, to] of letters.within(fromClient, fromClock, length))
        letters.add(client, clock + from - fromClock, to - from);
  }
}
