// `/`: redirects to the workspace the person opened last, or to their first; without one, to `/welcome`.
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { usePerson, useValue } from '../../state/hooks.ts';
import { workspacePath } from '../../state/workspace/page-address.ts';
import { textOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';

export function StartScreen() {
  const person = usePerson();
  const list = useValue(person.workspacesAtom);
  const [lastSlug, setLastSlug] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    void person.lastWorkspace().then(setLastSlug);
  }, [person]);

  const known = list.value ?? [];
  const workspace = known.find(({ slug }) => slug === lastSlug) ?? known[0];
  if (lastSlug !== undefined && workspace !== undefined) return <Navigate to={workspacePath(workspace.slug)} replace />;
  if (list.isFresh && known.length === 0) return <Navigate to="/welcome" replace />;
  return (
    <main className="standalone">
      {list.error === null ? (
        <Skeleton label="Opening your workspace" widths={['40%', '70%', '62%']} />
      ) : (
        <EmptyState
          level={1}
          title={textOf(list.error)}
          actions={<Button onClick={() => void person.refreshWorkspaces()}>Try now</Button>}
        />
      )}
    </main>
  );
}
