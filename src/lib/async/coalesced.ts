/**
 * Runs calls one after the other. Those that arrive during a run share the next one, so each caller waits for a run that
 * began after its call. `run` must not reject.
 */
export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = async () => {
    next = null;
    const mine = run();
    current = mine;
    await mine;
    if (current === mine && next === null) current = null;
  };
  return () => {
    if (current === null) return start();
    next ??= current.then(start);
    return next;
  };
}
