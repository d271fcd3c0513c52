// Runs seeds on several processes. A seed that takes far too long counts as hanging, because a broken build may loop.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import type { SimOptions } from '../world/sim-world.ts';
import type { Report } from './seed-worker.ts';

const WORKER = join(import.meta.dirname, 'seed-worker.ts');
const HOOK = join(import.meta.dirname, '../mutants/load-mutant.ts');
/** Real time. A seed takes a tenth of a second on a machine that has nothing else to do. */
const HANGS_AFTER_MS = 60_000;

export type Work = {
  readonly seeds: Iterable<number>;
  readonly jobs: number;
  readonly options: SimOptions;
  /** Which of the deliberately broken builds; null for the real one. */
  readonly mutant: string | null;
  /** Told after each seed, in the order in which they end; false stops everything. */
  readonly ended: (report: Report) => boolean;
};

/** Resolves when all seeds have ended or `ended` said stop; no process is left then. */
export async function runSeeds(work: Work): Promise<void> {
  const seeds = work.seeds[Symbol.iterator]();
  const workers = Array.from({ length: work.jobs }, () => new Worker(work));
  let isStopped = false;
  try {
    await Promise.all(
      workers.map(async (hand) => {
        for (let next = seeds.next(); next.done !== true && !isStopped; next = seeds.next()) {
          if (!work.ended(await hand.run(next.value))) isStopped = true;
          if (isStopped) for (const other of workers) other.kill();
        }
        hand.kill();
      }),
    );
  } finally {
    for (const hand of workers) hand.kill();
  }
}

class Worker {
  readonly #child: ChildProcess;
  readonly #options: SimOptions;

  constructor({ mutant, options }: Work) {
    this.#options = options;
    this.#child = fork(WORKER, {
      execArgv: ['--max-semi-space-size=64', ...(mutant === null ? [] : ['--import', HOOK])],
      env: { ...process.env, WEFT_MUTANT: mutant ?? '' },
      // Yjs says on the console what a broken build makes it do.
      stdio: ['ignore', 'ignore', mutant === null ? 'inherit' : 'ignore', 'ipc'],
    });
    this.#child.setMaxListeners(0);
  }

  run(seed: number): Promise<Report> {
    return new Promise((resolve) => {
      const failed = (problem: string) => {
        done({ seed, problems: [problem], counts: {}, trace: 0 });
        this.kill();
      };
      const timer = setTimeout(() => failed(`hangs: no end after ${HANGS_AFTER_MS / 1000} s`), HANGS_AFTER_MS);
      const exited = (code: number | null) => failed(`the process ended with ${String(code)}`);
      const done = (report: Report) => {
        clearTimeout(timer);
        this.#child.off('exit', exited);
        this.#child.off('message', done);
        resolve(report);
      };
      if (this.#child.exitCode !== null || this.#child.killed) {
        failed('the process is gone');
        return;
      }
      this.#child.on('message', done);
      this.#child.on('exit', exited);
      this.#child.send({ seed, options: this.#options });
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
