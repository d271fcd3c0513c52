// The field for the workspace's name. Its address stays.
import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../protocol/limits.ts';
import { usePerson, useWorkspace } from '../../state/hooks.ts';
import { textOf } from '../../texts/error-texts.ts';
import { FIELD_TEXTS } from '../../texts/field-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { toast } from '../../ui/floating/toast.tsx';

export function RenameWorkspace({ name }: { readonly name: string }) {
  const { membership, refreshWorkspaces } = usePerson();
  const { workspace, refresh } = useWorkspace();
  const [typed, setTyped] = useState(name);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const rename = async () => {
    setBusy(true);
    setProblem(null);
    const answer = await membership.renameWorkspace(workspace.id, typed.trim());
    setBusy(false);
    if (!answer.ok) return setProblem(textOf(answer.error));
    toast('Workspace renamed');
    await Promise.all([refreshWorkspaces(), refresh()]);
  };
  return (
    <Form className="rename-workspace" onSend={() => void rename()}>
      <TextField
        label="Workspace name"
        required
        missing={FIELD_TEXTS.workspace}
        problem={problem ?? (typed !== '' && typed.trim() === '' ? FIELD_TEXTS.workspace : null)}
        value={typed}
        dir="auto"
        maxCharacters={MAX_NAME_LENGTH}
        autoComplete="off"
        hint="Links to pages stay the same."
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={isBusy || typed.trim() === name || typed.trim() === ''}>
        Rename
      </Button>
    </Form>
  );
}
