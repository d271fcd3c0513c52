// `/i#secret`: an invitation to a workspace, or to a page of one. It says who invites to what, and lets people join
// once they are signed in.
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { type WeftError, weftError } from 'weft-sync/protocol/errors.ts';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import { EntryLayout } from '../../features/account/sign-in/entry-layout.tsx';
import { returnAddressFrom } from '../../features/account/sign-in/return-address.ts';
import type { InviteInfo } from '../../protocol/people-answers.ts';
import { TabTitle } from '../../shell/tab-title.tsx';
import { PersonContext, useApp, useAppValue, usePerson } from '../../state/hooks.ts';
import { pagePath, parseLinkHash, workspacePath } from '../../state/workspace/page-address.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Standalone } from '../../ui/feedback/standalone.tsx';
import { UnavailableScreen } from '../errors/unavailable-screen.tsx';

export function InviteScreen() {
  const secret = parseLinkHash(useLocation().hash);
  const [attempt, setAttempt] = useState(0);
  if (secret === null) return <UnavailableScreen error={weftError('WF009')} />;
  return <Invitation key={`${attempt} ${secret}`} secret={secret} onRetry={() => setAttempt(attempt + 1)} />;
}

type InvitationProps = { readonly secret: LinkSecret; readonly onRetry: () => void };

function Invitation({ secret, onRetry }: InvitationProps) {
  const { readInvite } = useApp();
  const person = useAppValue((app) => app.personAtom);
  const signIn = useAppValue((app) => app.signInAtom);
  const [info, setInfo] = useState<InviteInfo | null>(null);
  const [error, setError] = useState<WeftError | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void readInvite(secret).then((answer) => {
      if (!isCurrent) return;
      if (answer.ok) setInfo(answer.value);
      else setError(answer.error);
    });
    return () => {
      isCurrent = false;
    };
  }, [readInvite, secret]);

  if (error !== null) {
    // WF009: the link is wrong or has ended, and trying again does not change that.
    return (
      <UnavailableScreen error={error} actions={error.code !== 'WF009' && <Button onClick={onRetry}>Try now</Button>} />
    );
  }
  if (info === null || signIn.status === 'unknown' || (signIn.status === 'signedIn' && person === null)) {
    return (
      <main className="standalone">
        <Skeleton label="Opening the invitation" widths={['46%', '92%', '60%']} />
      </main>
    );
  }
  if (info.hasLeft === true) {
    const place = info.role === 'guest' ? `the page of ${info.workspace} that it was for` : info.workspace;
    return (
      <>
        <TabTitle title={info.workspace} />
        <Standalone
          title="You already used this invitation"
          actions={
            <Link className="btn" to="/">
              Go to your workspaces
            </Link>
          }
        >
          <p>
            You were removed from {place}, or left. An invitation works only once for each person: ask {info.inviter}{' '}
            for a new one.
          </p>
        </Standalone>
      </>
    );
  }
  return (
    <EntryLayout foot={<span />}>
      <TabTitle title={info.workspace} />
      <div className="entry-body">
        <h1>Join {info.workspace}</h1>
        <p>
          {info.inviter} invited you{' '}
          {info.role === 'guest' ? 'to a page of this workspace' : `as ${withArticle(info.role)}`}.
          {info.emailHint !== null && ` The invitation is for ${info.emailHint}.`}
        </p>
        {signIn.status === 'signedIn' && person !== null ? (
          <PersonContext value={person}>
            <Join secret={secret} />
          </PersonContext>
        ) : (
          <SignInFirst />
        )}
      </div>
    </EntryLayout>
  );
}

const withArticle = (role: InviteInfo['role']): string =>
  role === 'admin' || role === 'owner' ? `an ${role}` : `a ${role}`;

function SignInFirst() {
  const returnAddress = returnAddressFrom(useLocation());
  return (
    <>
      <Link className="btn" data-look="primary" data-size="wide" to="/sign-in" state={returnAddress}>
        Sign in
      </Link>
      <Link className="btn" data-size="wide" to="/sign-up" state={returnAddress}>
        Create account
      </Link>
    </>
  );
}

function Join({ secret }: { readonly secret: LinkSecret }) {
  const { membership, refreshWorkspaces, identity } = usePerson();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const join = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await membership.acceptInvite(secret);
    if (!answer.ok) {
      setBusy(false);
      return setProblem(textOf(answer.error));
    }
    await refreshWorkspaces();
    const { workspaceSlug, document } = answer.value;
    const path =
      document === null ? workspacePath(workspaceSlug) : pagePath(workspaceSlug, { id: document, title: '' });
    await navigate(path, { replace: true });
  };
  return (
    <>
      {problem !== null && <p role="alert">{problem}</p>}
      <Button look="primary" size="wide" disabled={isBusy} onClick={() => void join()}>
        Join
      </Button>
      {identity.email !== null && <p className="secondary">You join as {identity.email}.</p>}
    </>
  );
}
