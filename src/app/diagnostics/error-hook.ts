// Passes errors on to the module that this server's config.json names (docs/errors.md). Without one nothing is sent.
import type { ErrorDetails } from './error-details.ts';

/** An error inside of the hook that nothing catches, or one that repeats, must not call it for ever. */
const MAX_CALLS = 50;

type ErrorHook = (error: unknown, details: ErrorDetails) => Promise<void>;
/** The module is someone else's: a call shows whether it has the function. */
type HookModule = { readonly onError: (error: unknown, details: ErrorDetails) => unknown };

/**
 * Returns a function that passes errors on, up to `MAX_CALLS`. A module that fails is reported and not called again.
 */
export function errorHook(load: () => Promise<HookModule>): ErrorHook {
  let callsLeft = MAX_CALLS;
  const fail = (problem: unknown) => {
    callsLeft = 0;
    reportError(problem);
    return null;
  };
  const loading = load().catch(fail);
  return async (error, details) => {
    if (callsLeft === 0) return;
    callsLeft -= 1;
    const loaded = await loading;
    try {
      await loaded?.onError(error, details);
    } catch (problem) {
      fail(problem);
    }
  };
}
