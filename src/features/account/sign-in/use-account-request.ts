// Calls the sign-in service, and holds whether a call is running and why the last one failed.
import { useState } from 'react';
import type { Result } from '../../../lib/result.ts';
import type { SignInError, SignInProblem } from '../../../protocol/errors.ts';

export function useAccountRequest() {
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** Returns the value, or null and sets `problem`. */
  const run = async <T>(attempt: Promise<Result<T, SignInError>>): Promise<{ readonly value: T } | null> => {
    setBusy(true);
    setProblem(null);
    const done = await attempt;
    setBusy(false);
    if (!done.ok) setProblem(done.error.problem);
    return done.ok ? { value: done.value } : null;
  };
  return { problem, isBusy, run };
}
