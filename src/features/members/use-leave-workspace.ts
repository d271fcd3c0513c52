// Goes on to another workspace after this one was left or deleted.
import { useNavigate } from 'react-router';
import { usePerson, useWorkspace } from '../../state/hooks.ts';
import { toast } from '../../ui/floating/toast.tsx';

/** `says`: what happened to it. The address `/` opens a workspace of the list, so this one has to be off the list first. */
export function useLeaveWorkspace(says: (name: string) => string): () => void {
  const { removeWorkspace } = usePerson();
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  return () => {
    toast(says(workspace.name));
    void removeWorkspace(workspace.id).then(() => navigate('/'));
  };
}

export const leftText = (name: string): string => `You left ${name}.`;
export const deletedText = (name: string): string => `${name} was deleted.`;
