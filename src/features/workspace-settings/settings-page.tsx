// The settings of a workspace: its name, its export, its deletion.
import type { ReactNode } from 'react';
import { usePerson, useValue, useWorkspace } from '../../state/hooks.ts';
import '../../ui/theme/section-page.css';
import { DeleteWorkspace } from './delete-workspace.tsx';
import { RenameWorkspace } from './rename-workspace.tsx';
import './settings.css';

type SettingsPageProps = {
  /** The export of all pages. */
  readonly exportSection: ReactNode;
  readonly onDeleted: () => void;
};

export function SettingsPage({ exportSection, onDeleted }: SettingsPageProps) {
  const { workspacesAtom } = usePerson();
  const { workspace, listAtom } = useWorkspace();
  const listed = useValue(workspacesAtom).value?.find(({ id }) => id === workspace.id);
  const { name, role } = useValue(listAtom).value?.workspace ?? listed ?? workspace;
  return (
    <div className="section-page workspace-settings">
      <h1>Workspace settings</h1>
      <section aria-labelledby="settings-name">
        <h2 id="settings-name">Name</h2>
        {role === 'owner' || role === 'admin' ? (
          // Someone else's new name replaces what is in the field.
          <RenameWorkspace key={name} name={name} />
        ) : (
          <p dir="auto">{name}</p>
        )}
      </section>
      {exportSection}
      {role === 'owner' && <DeleteWorkspace name={name} onDeleted={onDeleted} />}
    </div>
  );
}
