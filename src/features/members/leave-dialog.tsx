// Asks before the person leaves a workspace, as a member or as a guest of single pages.
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { Result } from '../../lib/result.ts';
import { problemOf } from '../../texts/error-texts.ts';
import { ConfirmDialog } from '../../ui/floating/confirm-dialog.tsx';

type LeaveDialogProps = {
  readonly name: string;
  readonly leave: () => Promise<Result<void, WeftError>>;
  readonly onLeft: () => void;
  readonly onClose: () => void;
};

export const LeaveDialog = ({ name, leave, onLeft, onClose }: LeaveDialogProps) => (
  <ConfirmDialog
    title={`Leave ${name}?`}
    action="Leave"
    onConfirm={async () => problemOf(await leave())}
    onDone={onLeft}
    onClose={onClose}
  >
    You lose access to all of {name}, including pages shared with you by name. To come back you need an invitation or a
    link. What you wrote stays.
  </ConfirmDialog>
);
