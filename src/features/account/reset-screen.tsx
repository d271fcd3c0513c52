// `/reset`: for a forgotten password, both before and after following the link in the email.
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { SignInProblem } from '../../protocol/errors.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { useApp } from '../../state/hooks.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { isEmailLink, emailFromState } from './sign-in/email-link.ts';
import { EntryLayout } from './sign-in/entry-layout.tsx';
import { NewPasswordForm } from './sign-in/new-password-form.tsx';
import { ResetForm } from './sign-in/reset-form.tsx';

/**
 * `asking`: for the email address, with what was wrong with the link if one was followed. `exchangingLink`: the link signs the
 * person in. `choosing`: they are signed in, by the link or by the code in the same email, and enter a new password.
 */
type Step =
  | { readonly at: 'exchangingLink' | 'choosing' }
  | { readonly at: 'asking'; readonly problem: SignInProblem | null };

export function ResetScreen() {
  const { account } = useApp();
  const location = useLocation();
  const [step, setStep] = useState<Step>(() =>
    isEmailLink(location) ? { at: 'exchangingLink' } : { at: 'asking', problem: null },
  );
  const isExchangingLink = step.at === 'exchangingLink';
  useEffect(() => {
    if (!isExchangingLink) return;
    void account.finishLink().then((done) => {
      setStep(done.ok ? { at: 'choosing' } : { at: 'asking', problem: done.error.problem });
    });
  }, [account, isExchangingLink]);

  return (
    <>
      <TabTitle title="New password" />
      <EntryLayout>
        {step.at === 'exchangingLink' && (
          <div className="entry-body">
            <Skeleton label="Signing in" widths={['60%', '100%', '100%']} />
          </div>
        )}
        {step.at === 'asking' && (
          <ResetForm
            email={emailFromState(location.state)}
            linkProblem={step.problem}
            onSignedIn={() => setStep({ at: 'choosing' })}
            footer={
              <Link className="text-link" to="/sign-in">
                Back to sign-in
              </Link>
            }
          />
        )}
        {step.at === 'choosing' && (
          <NewPasswordForm
            continueLink={
              <Link className="btn" data-look="primary" data-size="wide" to="/" replace>
                Go to your pages
              </Link>
            }
          />
        )}
      </EntryLayout>
    </>
  );
}
