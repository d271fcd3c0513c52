// Deletes the workspace once an owner has typed its name.
import { useState } from 'react';
import { counted } from '../../lib/text/counted.ts';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import { problemOf } from '../../texts/error-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LayerBoundary } from '../../ui/feedback/error-boundary.tsx';
import { ConfirmDialog } from '../../ui/floating/confirm-dialog.tsx';

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
      {isAsking && (
        <LayerBoundary onDismiss={() => setAsking(false)}>
          <DeleteDialog name={name} onDeleted={onDeleted} onClose={() => setAsking(false)} />
        </LayerBoundary>
      )}
    </section>
  );
}

function DeleteDialog({ name, onDeleted, onClose }: DeleteWorkspaceProps & { readonly onClose: () => void }) {
  const { membership } = usePerson();
  const { workspace, indexAtom } = useWorkspace();
  const pages = useValue(indexAtom).pages.size;
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      action="Delete workspace"
      phrase={name}
      onConfirm={async () => problemOf(await membership.deleteWorkspace(workspace.id, name))}
      onClose={onClose}
      onDone={onDeleted}
    >
      {counted(pages, 'page')} with history and files are deleted, for every member. Export the workspace first if
      someone may need them.
    </ConfirmDialog>
  );
}
