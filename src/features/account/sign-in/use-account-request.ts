// One call of the sign-in service at a time, and what came of the last one.
import { useState } from 'react';
import type { Result } from '../../../lib/result.ts';
import type { SignInError, SignInProblem } from '../../../protocol/errors.ts';

export function useAccountRequest() {
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** The value, or null when there is a problem now. */
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
