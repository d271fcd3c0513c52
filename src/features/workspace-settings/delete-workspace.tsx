// Deletes the workspace once its owner has typed its name.
import { useState } from 'react';
import { textOf } from '../../protocol/errors.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';

type DeleteWorkspaceProps = { readonly name: string; readonly onDeleted: () => void };

export function DeleteWorkspace({ name, onDeleted }: DeleteWorkspaceProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section aria-labelledby="settings-deletion">
      <h2 id="settings-deletion">Delete workspace</h2>
      <p>Deletes every page with its history and files, for everyone. This can’t be undone.</p>
      <div className="actions">
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete workspace…
        </Button>
      </div>
      {isAsking && <DeleteDialog name={name} onDeleted={onDeleted} onClose={() => setAsking(false)} />}
    </section>
  );
}

function DeleteDialog({ name, onDeleted, onClose }: DeleteWorkspaceProps & { readonly onClose: () => void }) {
  const { membership } = usePerson();
  const { workspace, indexAtom } = useWorkspace();
  const pages = useValue(indexAtom).pages.size;
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await membership.deleteWorkspace(workspace.id, typed.trim());
    if (answer.ok) return onDeleted();
    setBusy(false);
    setProblem(textOf(answer.error));
  };
  return (
    <Dialog title={`Delete ${name}?`} open size="small" onOpenChange={onClose}>
      <section>
        <p>
          {pages === 1 ? '1 page' : `${pages} pages`} with history and files are deleted, for every member. Export the
          workspace first if somebody may need them.
        </p>
        <TextField
          label={`Type “${name}” to confirm`}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.currentTarget.value)}
          problem={problem}
        />
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={isBusy || typed.trim() !== name} onClick={() => void remove()}>
          Delete workspace
        </Button>
      </footer>
    </Dialog>
  );
}
