// Hands the workspace over to another member. The person types its name first: only the new owner can undo this.
import { useState } from 'react';
import { textOf } from '../../protocol/errors.ts';
import type { UserId } from '../../protocol/ids.ts';
import { useValue, useWorkspace } from '../../state/hooks.ts';
import type { Members } from '../../state/workspace/members.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';

type TransferDialogProps = {
  readonly name: string;
  readonly person: UserId;
  readonly members: Members;
  readonly onClose: () => void;
};

export function TransferDialog({ name, person, members, onClose }: TransferDialogProps) {
  const { workspace, listAtom } = useWorkspace();
  const workspaceName = useValue(listAtom).value?.workspace.name ?? workspace.name;
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const transfer = async () => {
    setBusy(true);
    const answer = await members.transfer(person);
    setBusy(false);
    if (answer.ok) onClose();
    else setProblem(textOf(answer.error));
  };
  return (
    <Dialog title={`Transfer ${workspaceName}`} open size="small" onOpenChange={onClose}>
      <section>
        <p>
          {name} becomes the owner and can remove you and delete the workspace. You become an admin. Only the new owner
          can undo this.
        </p>
        <TextField
          label={`Type “${workspaceName}” to confirm`}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
          problem={problem}
        />
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={isBusy || typed.trim() !== workspaceName} onClick={() => void transfer()}>
          Transfer ownership
        </Button>
      </footer>
    </Dialog>
  );
}
