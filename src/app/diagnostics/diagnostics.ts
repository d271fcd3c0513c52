// Describes errors for people, and passes them on where config.json says so. Loads after the first screen, or at the
// first error.
import { type Moment, detailsText, errorDetails } from './error-details.ts';
import { errorHook } from './error-hook.ts';

export type Diagnostics = {
  readonly describe: (error: unknown, at: Moment) => string;
  readonly report: (error: unknown, at: Moment) => void;
};

/** `onError` is the address of a module; with null nothing is passed on. */
export function diagnostics(onError: string | null): Diagnostics {
  const hook = onError === null ? null : errorHook(() => import(/* @vite-ignore */ onError));
  return {
    describe: (error, at) => detailsText(errorDetails(error, at)),
    report(error, at) {
      // Some events carry no error: a `ResizeObserver` that comes too late, or a script of another site.
      if (error != null) void hook?.(error, errorDetails(error, at));
    },
  };
}
