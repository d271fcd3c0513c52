// Collects the durations of calls. Tests print them and never assert them, because the machine is shared.
import process from 'node:process';

export class Timings {
  readonly #ms: number[] = [];

  async of<T>(run: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const result = await run();
    this.#ms.push(performance.now() - from);
    return result;
  }

  print(what: string): void {
    const sorted = this.#ms.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    process.stdout.write(`${what}: ${sorted.length} calls, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (no fsync)\n`);
  }
}
