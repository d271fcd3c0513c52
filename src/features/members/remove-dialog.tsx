// Asks before somebody is removed from the workspace.
import { useState } from 'react';
import { textOf } from '../../protocol/errors.ts';
import type { UserId } from '../../protocol/ids.ts';
import type { Members } from '../../state/workspace/members.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';

type RemoveDialogProps = {
  readonly name: string;
  readonly person: UserId;
  readonly members: Members;
  readonly onClose: () => void;
};

export function RemoveDialog({ name, person, members, onClose }: RemoveDialogProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const answer = await members.remove(person);
    setBusy(false);
    if (answer.ok) onClose();
    else setProblem(textOf(answer.error));
  };
  return (
    <Dialog title={`Remove ${name}?`} open size="small" onOpenChange={onClose}>
      <section>
        <p>
          Their open tabs stop at once. What they wrote stays, under their name. Pages that were shared with them by
          name stay shared.
        </p>
        {problem !== null && <p role="alert">{problem}</p>}
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={isBusy} onClick={() => void remove()}>
          Remove
        </Button>
      </footer>
    </Dialog>
  );
}
