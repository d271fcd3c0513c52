// Decides which calls and messages the simulated network delays, loses or delivers twice. All decisions come from one seeded
// random stream, at the fault rate of the world.
import type { SimClock } from 'weft-sync/testing/sim-clock.ts';
import type { Bytes } from '../../../src/lib/bytes.ts';
import type { Coverage } from '../checks/coverage.ts';

/** The fate of one call: the request gets lost, or the answer, or both arrive. */
export type CallFate =
  | { readonly kind: 'requestLost'; readonly fails: 'at once' | 'late' }
  | { readonly kind: 'answerLost'; readonly thereMs: number; readonly failsAfterMs: number }
  | { readonly kind: 'answered'; readonly thereMs: number; readonly backMs: number };

export type Message = {
  readonly event: string;
  readonly payload: Bytes;
  readonly fromDatabase: boolean;
  /** Name of the tab or watcher that would receive it. */
  readonly to: string;
};

/** Callers give up after this long. */
export const TIMEOUT_MS = 10_000;

export class Network {
  readonly random: () => number;
  readonly coverage: Coverage;
  /** How many times as often as usual things go wrong. */
  readonly faultRate: number;
  /** Once healed, everything arrives soon and once. */
  isHealed = false;
  /** Loses exactly these messages, healed or not. */
  loses: (message: Message) => boolean = () => false;
  /** The server is away: calls are refused or get no answer, and there is no connection to Realtime. */
  isServerDown = false;
  /** Every join takes this much longer. */
  joinsAfterMs = 0;
  readonly #clock: SimClock;
  #trace = 0x811c9dc5;

  constructor(clock: SimClock, random: () => number, faultRate: number, coverage: Coverage) {
    this.#clock = clock;
    this.random = random;
    this.faultRate = faultRate;
    this.coverage = coverage;
  }

  /** A hash of all notes and their times. The same seed must give the same hash. */
  get trace(): number {
    return this.#trace;
  }

  /** Notes that something happened, for the hash. */
  note(what: string): void {
    let hash = this.#trace ^ (this.#clock.now() % 0x7fffffff);
    for (let at = 0; at < what.length; at++) hash = Math.imul(hash ^ what.charCodeAt(at), 0x01000193);
    this.#trace = hash >>> 0;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** True with this probability times the fault rate, and never once healed. */
  fails(probability: number): boolean {
    return this.random() < probability * this.faultRate && !this.isHealed;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  callFate(isCut: boolean): CallFate {
    const fate = this.#fate(isCut);
    if (fate.kind === 'requestLost') this.coverage.count('request lost');
    if (fate.kind === 'answerLost')
      this.coverage.count(fate.thereMs > TIMEOUT_MS ? 'executed after the caller gave up' : 'answer lost');
    return fate;
  }

  /** Runs `deliver` soon, later, twice or never. */
  transport(later: (run: () => void) => void, isCut: boolean, message: Message, deliver: () => void): void {
    const send = (ms: number) => void this.#clock.after(ms, () => later(deliver));
    const soon = this.between(5, 45);
    if (isCut || this.isServerDown || this.fails(0.1) || this.loses(message)) {
      this.coverage.count('message dropped');
      return;
    }
    if (this.fails(0.085)) {
      this.coverage.count('message delayed');
      send(soon + this.between(200, 4_000));
    } else {
      send(soon);
    }
    if (this.fails(0.085)) {
      this.coverage.count('message doubled');
      send(this.between(5, 4_000));
    }
  }

  #fate(isCut: boolean): CallFate {
    const thereMs = this.between(10, 70);
    const backMs = this.between(10, 70);
    if (isCut || this.isServerDown) return { kind: 'requestLost', fails: this.chance(0.7) ? 'at once' : 'late' };
    if (this.fails(0.04)) return { kind: 'requestLost', fails: this.chance(0.5) ? 'at once' : 'late' };
    // The connection breaks after the request, or no answer comes.
    if (this.fails(0.06))
      return { kind: 'answerLost', thereMs, failsAfterMs: this.chance(0.5) ? thereMs + backMs : TIMEOUT_MS };
    if (this.fails(0.03)) {
      const lateMs = TIMEOUT_MS + this.between(100, 4_000);
      return { kind: 'answerLost', thereMs: lateMs, failsAfterMs: TIMEOUT_MS };
    }
    if (this.fails(0.05)) return { kind: 'answered', thereMs: this.between(100, 3_000), backMs };
    return { kind: 'answered', thereMs, backMs };
  }
}
