// Emails a sign-in link. The screen that says so loads while the first email is sent.
import { useState } from 'react';
import { type Result, err, ok } from '../../../lib/result.ts';
import type { SignInError } from '../../../protocol/errors.ts';
import type { EmailSent } from './email-sent.tsx';
import type { useAccountRequest } from './use-account-request.ts';

type Run = ReturnType<typeof useAccountRequest>['run'];

export function useSignInLink(run: Run, send: () => Promise<Result<void, SignInError>>) {
  /** Shown once a link is sent. */
  const [LinkSent, setLinkSent] = useState<typeof EmailSent | null>(null);
  const sendLink = async () => {
    const sent = await run(
      Promise.all([send(), import('./email-sent.tsx')]).then(
        ([answer, screen]): Result<typeof EmailSent, SignInError> => (answer.ok ? ok(screen.EmailSent) : answer),
        (error: unknown) => err({ problem: 'unreachable', detail: String(error) }),
      ),
    );
    if (sent !== null) setLinkSent(() => sent.value);
  };
  return { LinkSent, sendLink, onBack: () => setLinkSent(null) };
}
