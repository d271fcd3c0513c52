/**
 * Runs a call with a signal that aborts after `ms`. Unlike the timer of `AbortSignal.timeout`, this one ends with the call, so that
 * it does not wake the device once more.
 */
export async function withTimeLimit<T>(ms: number, run: (signal: AbortSignal) => PromiseLike<T>): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException('no answer in time', 'TimeoutError')), ms);
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer);
  }
}
