// The end of the members' page: leaving the workspace.
import { useState } from 'react';
import { usePerson } from '../../state/hooks.ts';
import type { Members } from '../../state/workspace/access/members.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { LeaveDialog } from './leave-dialog.tsx';

type LeaveWorkspaceProps = {
  readonly name: string;
  readonly members: Members;
  readonly isOnlyOwner: boolean;
  readonly onLeft: () => void;
};

export function LeaveWorkspace({ name, members, isOnlyOwner, onLeft }: LeaveWorkspaceProps) {
  const { identity } = usePerson();
  const [isAsking, setAsking] = useState(false);
  return (
    <section className="leave" aria-label="Leave workspace">
      <p className="grow">
        {isOnlyOwner ? 'You own this workspace. Transfer it before you leave.' : `You can leave ${name} at any time.`}
      </p>
      <Button look="plain-danger" disabled={isOnlyOwner} onClick={() => setAsking(true)}>
        Leave workspace
      </Button>
      {isAsking && (
        <LayerBoundary onDismiss={() => setAsking(false)}>
          <LeaveDialog
            name={name}
            leave={() => members.remove(identity.id)}
            onLeft={onLeft}
            onClose={() => setAsking(false)}
          />
        </LayerBoundary>
      )}
    </section>
  );
}
