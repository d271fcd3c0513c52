// Threads for PGlite. One may be started before anybody knows which database it is to open: loading PGlite takes as long as
// loading the rest of the backend. Imports nothing, for that reason.
import { Worker } from 'node:worker_threads';

let spare: Worker | null = null;

/** One that nobody takes keeps no process alive. */
export function startSpareWorker(): void {
  spare ??= startWorker();
  spare.unref();
}

export function takeWorker(): Worker {
  const worker = spare ?? startWorker();
  spare = null;
  worker.ref();
  return worker;
}

const startWorker = (): Worker => new Worker(new URL('pglite-worker.ts', import.meta.url));
