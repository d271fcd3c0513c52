// Goes on to another workspace after this one was left or deleted.
import { useNavigate } from 'react-router';
import { usePerson, useWorkspace } from '../../state/hooks.ts';

/** The address `/` opens a workspace of the list, so this one has to be off the list first. */
export function useLeaveWorkspace(): () => void {
  const { removeWorkspace } = usePerson();
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  return () => void removeWorkspace(workspace.id).then(() => navigate('/'));
}
