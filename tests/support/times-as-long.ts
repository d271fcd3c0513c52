// Compares two pieces of work on this machine at this moment: how their times relate holds on a slow machine and on a busy one.

/** Below this, clocks say little. */
const LEAST_MS = 1;

/** How many times as long `work` takes as `control`. Both run in turns, and the shortest run of each counts. */
export async function timesAsLong(work: () => unknown, control: () => unknown, tries = 5): Promise<number> {
  let [shortest, other] = [Infinity, Infinity];
  for (let at = 0; at < tries; at++) {
    other = Math.min(other, await msOf(control));
    shortest = Math.min(shortest, await msOf(work));
  }
  return shortest / Math.max(LEAST_MS, other);
}

/** The same work many times, as a control: what costs the square of its length costs as many times as much at once. */
export const repeatedly = (times: number, work: () => unknown) => () => {
  for (let at = 0; at < times; at++) work();
};

async function msOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
