// The other side of `deadline-worker.ts`, inside the worker.
import { READY } from './deadline-worker.ts';

/** Answers each job with the result of `run`. A job that throws is answered with null, which means that it failed. */
export function serveJobs(run: (job: unknown) => unknown): void {
  globalThis.addEventListener('message', ({ data }) => {
    try {
      globalThis.postMessage(run(data));
    } catch {
      // `run` failed, or its answer nests too deeply to be copied.
      globalThis.postMessage(null);
    }
  });
  globalThis.postMessage(READY);
}
