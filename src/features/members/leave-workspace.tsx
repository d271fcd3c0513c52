// The end of the members' page: leaving the workspace.
import { useState } from 'react';
import { textOf } from '../../protocol/errors.ts';
import { usePerson } from '../../state/hooks.ts';
import type { Members } from '../../state/workspace/members.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';

type LeaveWorkspaceProps = {
  readonly name: string;
  readonly members: Members;
  readonly isOnlyOwner: boolean;
  readonly onLeft: () => void;
};

export function LeaveWorkspace({ name, members, isOnlyOwner, onLeft }: LeaveWorkspaceProps) {
  const { identity } = usePerson();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async () => {
    const answer = await members.remove(identity.id);
    if (answer.ok) return onLeft();
    setProblem(textOf(answer.error));
  };
  return (
    <section className="leave" aria-label="Leave workspace">
      <p className="grow">
        {isOnlyOwner ? 'You own this workspace. Transfer it before you leave.' : `You can leave ${name} at any time.`}
      </p>
      <Button look="plain-danger" disabled={isOnlyOwner} onClick={() => setAsking(true)}>
        Leave workspace
      </Button>
      <Dialog title={`Leave ${name}?`} open={isAsking} size="small" onOpenChange={setAsking}>
        <section>
          <p>Its pages leave this device. You come back only if somebody invites you again. What you wrote stays.</p>
          {problem !== null && <p role="alert">{problem}</p>}
        </section>
        <footer>
          <Button onClick={() => setAsking(false)}>Cancel</Button>
          <Button look="danger" onClick={() => void leave()}>
            Leave
          </Button>
        </footer>
      </Dialog>
    </section>
  );
}
