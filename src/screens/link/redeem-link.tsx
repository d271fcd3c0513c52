// Shown when a signed-in person opens a link to edit or comment: takes the role that the link gives, then opens the page.
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { LinkSecret } from 'weft-sync/protocol/ids.ts';
import { usePerson } from '../../state/hooks.ts';
import { pagePath } from '../../state/workspace/page-address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { UnavailableScreen } from '../errors/unavailable-screen.tsx';

export function RedeemLink({ secret }: { readonly secret: LinkSecret }) {
  const person = usePerson();
  const navigate = useNavigate();
  const [error, setError] = useState<WeftError | null>(null);
  const [attempt, setAttempt] = useState(0);
  const lastStarted = useRef(-1);
  const isShown = useRef(true);

  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  useEffect(() => {
    // Only one call per try, although StrictMode runs effects twice.
    if (lastStarted.current === attempt) return;
    lastStarted.current = attempt;
    void (async () => {
      const answer = await person.directory.redeemLink(secret);
      if (!answer.ok) return setError(answer.error);
      await person.refreshWorkspaces();
      if (!isShown.current) return;
      await navigate(pagePath(answer.value.workspaceSlug, { id: answer.value.document, title: '' }), { replace: true });
    })();
  }, [person, secret, navigate, attempt]);

  const retry = () => {
    setError(null);
    setAttempt(attempt + 1);
  };
  if (error !== null) {
    const isOver = error.code === 'WF009';
    return <UnavailableScreen error={error} actions={!isOver && <Button onClick={retry}>Try now</Button>} />;
  }
  return (
    <main className="standalone">
      <Skeleton label="Opening the page" widths={['46%', '92%', '84%', '60%']} />
    </main>
  );
}
