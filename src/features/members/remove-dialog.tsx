// Asks before someone is removed from the workspace.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Members } from '../../state/workspace/access/members.ts';
import { problemOf } from '../../texts/error-texts.ts';
import { ConfirmDialog } from '../../ui/floating/confirm-dialog.tsx';
import { toast } from '../../ui/floating/toast.tsx';

type RemoveDialogProps = {
  readonly name: string;
  readonly person: UserId;
  readonly members: Members;
  readonly onClose: () => void;
};

export const RemoveDialog = ({ name, person, members, onClose }: RemoveDialogProps) => (
  <ConfirmDialog
    title={`Remove ${name}?`}
    action="Remove"
    onConfirm={async () => {
      const problem = problemOf(await members.remove(person));
      if (problem === null) toast(`${name} was removed`);
      return problem;
    }}
    onClose={onClose}
  >
    They lose access to every page, including those shared with them by name, and their open tabs stop at once. Anyone
    with a link to a page can still open it until the link is revoked in that page’s “Share”. What they wrote stays,
    under their name.
  </ConfirmDialog>
);
