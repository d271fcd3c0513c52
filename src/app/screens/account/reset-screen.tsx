// `/reset`: for a forgotten password, both before and after following the link in the email.
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { EntryLayout } from '../../../features/account/sign-in/entry-layout.tsx';
import { NewPasswordForm } from '../../../features/account/sign-in/new-password-form.tsx';
import { ResetForm } from '../../../features/account/sign-in/reset-form.tsx';
import type { SignInProblem } from '../../../protocol/errors.ts';
import { useApp } from '../../../state/hooks.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { isEmailLink, emailFromState } from './email-link.ts';
import { TabTitle } from '../../shell/tab-title.tsx';

type Stage =
  | { readonly at: 'exchangingLink' | 'choosing' }
  | { readonly at: 'asking'; readonly problem: SignInProblem | null };

export function ResetScreen() {
  const { account } = useApp();
  const location = useLocation();
  const [stage, setStage] = useState<Stage>(() =>
    isEmailLink(location) ? { at: 'exchangingLink' } : { at: 'asking', problem: null },
  );
  const isExchangingLink = stage.at === 'exchangingLink';
  useEffect(() => {
    if (!isExchangingLink) return;
    void account.finishLink().then((done) => {
      setStage(done.ok ? { at: 'choosing' } : { at: 'asking', problem: done.error.problem });
    });
  }, [account, isExchangingLink]);

  return (
    <>
      <TabTitle title="New password" />
      <EntryLayout>
        {stage.at === 'exchangingLink' && (
          <div className="entry-body">
            <Skeleton label="Signing in" widths={['60%', '100%', '100%']} />
          </div>
        )}
        {stage.at === 'asking' && (
          <ResetForm
            email={emailFromState(location.state)}
            linkProblem={stage.problem}
            onSignedIn={() => setStage({ at: 'choosing' })}
            footer={
              <Link className="text-link" to="/sign-in">
                Back to sign-in
              </Link>
            }
          />
        )}
        {stage.at === 'choosing' && (
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
