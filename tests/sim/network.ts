// What the simulated network does to calls and messages, from one seeded source.
import type { SimClock } from '../../src/platform/memory/sim-clock.ts';

export type CallFate =
  | { readonly kind: 'requestLost'; readonly fails: 'at once' | 'late' }
  | { readonly kind: 'answerLost'; readonly thereMs: number }
  | { readonly kind: 'answered'; readonly thereMs: number; readonly backMs: number };

export class Network {
  readonly random: () => number;
  readonly #clock: SimClock;
  /** Once healed, everything arrives soon, once. */
  isHealed = false;

  constructor(clock: SimClock, random: () => number) {
    this.#clock = clock;
    this.random = random;
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  callFate(isOffline: boolean): CallFate {
    const thereMs = 10 + this.random() * 60;
    const backMs = 10 + this.random() * 60;
    if (isOffline) return { kind: 'requestLost', fails: this.chance(0.7) ? 'at once' : 'late' };
    if (this.isHealed) return { kind: 'answered', thereMs, backMs };
    if (this.chance(0.05)) return { kind: 'requestLost', fails: this.chance(0.5) ? 'at once' : 'late' };
    if (this.chance(0.05)) return { kind: 'answerLost', thereMs };
    // Executed after the caller gave up.
    if (this.chance(0.02)) return { kind: 'answerLost', thereMs: 10_500 + this.random() * 4_000 };
    return { kind: 'answered', thereMs, backMs };
  }

  carry(later: (run: () => void) => void, isOffline: boolean, fromDatabase: boolean, deliver: () => void): void {
    const send = (ms: number) => void this.#clock.after(ms, () => later(deliver));
    const soon = 5 + this.random() * 40;
    if (this.isHealed && !isOffline) return send(soon);
    if (isOffline || this.chance(fromDatabase ? 0.2 : 0.1)) return;
    send(soon);
    if (this.chance(0.05)) send(soon + this.random() * 4_000);
    if (this.chance(0.05)) send(this.random() * 4_000);
  }
}
