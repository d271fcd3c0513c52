// Hands the workspace over to another member. The person types its name first: they can’t undo this themselves.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { useValue, useWorkspace } from '../../state/hooks.ts';
import type { Members } from '../../state/workspace/access/members.ts';
import { problemOf } from '../../texts/error-texts.ts';
import { ConfirmDialog } from '../../ui/floating/confirm-dialog.tsx';

type TransferDialogProps = {
  readonly name: string;
  readonly person: UserId;
  readonly members: Members;
  readonly onClose: () => void;
};

export function TransferDialog({ name, person, members, onClose }: TransferDialogProps) {
  const { workspace, listAtom } = useWorkspace();
  const workspaceName = useValue(listAtom).value?.workspace.name ?? workspace.name;
  return (
    <ConfirmDialog
      title={`Transfer ${workspaceName}`}
      action="Transfer ownership"
      phrase={workspaceName}
      onConfirm={async () => problemOf(await members.transfer(person))}
      onClose={onClose}
    >
      {name} becomes the owner and can remove you and delete the workspace. You become an admin. Only the new owner can
      undo this.
    </ConfirmDialog>
  );
}
