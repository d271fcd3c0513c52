// Runs seeds in several processes. A seed that takes far too long counts as failed, because a broken build may loop for ever.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import type { SimOptions } from '../world/sim-world.ts';
import type { Report } from './seed-worker.ts';

const WORKER = join(import.meta.dirname, 'seed-worker.ts');
/** In real time. A seed takes a tenth of a second on a machine that has nothing else to do. */
const HANGS_AFTER_MS = 60_000;

/** A worker ends with this code if its modules throw while they load, or if its mutant is in a file that nothing loads. */
const START_FAILED = 1;

export type Work = {
  readonly seeds: Iterable<number>;
  readonly jobs: number;
  readonly options: SimOptions;
  /** A module that each process loads before everything else, and environment variables for it: for broken builds. */
  readonly preload?: { readonly module: string; readonly env: Readonly<Record<string, string>> };
  /** Called after each seed, in the order in which they end. Returning false stops everything. */
  readonly onEnd: (report: Report) => boolean;
};

/** Resolves when all seeds have ended or `onEnd` returned false. No process is left then. */
export async function runSeeds(work: Work): Promise<void> {
  const seeds = work.seeds[Symbol.iterator]();
  const workers = Array.from({ length: work.jobs }, () => new Worker(work));
  let isStopped = false;
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let next = seeds.next(); next.done !== true && !isStopped; next = seeds.next()) {
          if (!work.onEnd(await worker.run(next.value))) isStopped = true;
          if (isStopped) for (const other of workers) other.kill();
        }
        worker.kill();
      }),
    );
  } finally {
    for (const worker of workers) worker.kill();
  }
}

class Worker {
  readonly #child: ChildProcess;
  readonly #options: SimOptions;

  constructor({ preload, options }: Work) {
    this.#options = options;
    this.#child = fork(WORKER, {
      execArgv: ['--max-semi-space-size=64', ...(preload === undefined ? [] : ['--import', preload.module])],
      env: { ...process.env, ...preload?.env },
      // A broken build makes Yjs print warnings, which no one needs.
      stdio: ['ignore', 'ignore', preload === undefined ? 'inherit' : 'ignore', 'ipc'],
    });
    this.#child.setMaxListeners(0);
  }

  run(seed: number): Promise<Report> {
    return new Promise((resolve, reject) => {
      const failed = (problem: string) => {
        done({ seed, problems: [problem], counts: {}, trace: 0 });
        this.kill();
      };
      const timer = setTimeout(() => failed(`hangs: not done after ${HANGS_AFTER_MS / 1000} s`), HANGS_AFTER_MS);
      const exited = (code: number | null) => {
        if (code !== START_FAILED) return failed(`the process ended with ${String(code)}`);
        clearTimeout(timer);
        reject(new Error('a seed worker did not start: does its mutant apply, and does the simulation load the file?'));
      };
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
