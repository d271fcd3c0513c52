// A virtual clock: time moves only when a test moves it. All promise callbacks run between two jobs, so that async code runs
// the same way each time.
import type { Cancel } from '../../lib/cancel.ts';
import type { Clock } from '../ports.ts';

type Job = { readonly at: number; readonly order: number; readonly run: () => void };

export class SimClock implements Clock {
  #now: number;
  #order = 0;
  #jobs: Job[] = [];

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): Cancel {
    const job: Job = { at: this.#now + Math.max(0, ms), order: this.#order++, run };
    insert(this.#jobs, job);
    return () => {
      const at = this.#jobs.indexOf(job);
      if (at >= 0) this.#jobs.splice(at, 1);
    };
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#jobs.length;
  }

  /** Runs everything due within `ms` in order, and stops at that time. */
  async run(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let job = this.#jobs[0]; job !== undefined && job.at <= until; job = this.#jobs[0]) {
      this.#jobs.shift();
      this.#now = job.at;
      job.run();
      await settle();
    }
    this.#now = until;
  }

  /** Runs until `done` returns true. Throws after `ms` of virtual time. */
  async until(done: () => boolean, ms = 60_000): Promise<void> {
    const end = this.#now + ms;
    await settle();
    while (!done()) {
      const job = this.#jobs[0];
      if (job === undefined || job.at > end) throw new Error(`not done after ${ms} ms of virtual time`);
      await this.run(job.at - this.#now);
    }
  }
}

function insert(jobs: Job[], job: Job): void {
  let at = jobs.length;
  for (let before = jobs[at - 1]; before !== undefined && before.at > job.at; before = jobs[at - 1]) at -= 1;
  jobs.splice(at, 0, job);
}

/** Lets all promise callbacks run: a task of the event loop comes after every microtask. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
