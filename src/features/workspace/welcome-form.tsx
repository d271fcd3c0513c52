// Creates a workspace with a name. The server adds a first page to try things on.
import { useState } from 'react';
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { CreatedWorkspace } from '../../protocol/answers.ts';
import type { WorkspaceId } from '../../protocol/ids.ts';
import { MAX_NAME_LENGTH } from '../../protocol/limits.ts';
import { usePerson } from '../../state/hooks.ts';
import { textOf } from '../../texts/error-texts.ts';
import { FIELD_TEXTS } from '../../texts/field-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

type WelcomeFormProps = {
  /** The same ids at every try: if an answer was lost, trying again creates no second workspace. */
  readonly ids: { readonly workspace: WorkspaceId; readonly document: DocumentId };
  readonly onCreated: (created: CreatedWorkspace) => void;
};

export function WelcomeForm({ ids, onCreated }: WelcomeFormProps) {
  const person = usePerson();
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async (name: string) => {
    if (name === '') return setProblem(FIELD_TEXTS.workspace);
    setBusy(true);
    setProblem(null);
    const answer = await person.directory.createWorkspace(ids.workspace, name, ids.document);
    setBusy(false);
    if (!answer.ok) return setProblem(textOf(answer.error));
    onCreated(answer.value);
  };
  return (
    <Form onSend={(form) => void create(String(form.get('name') ?? '').trim())}>
      <h1>Name your workspace</h1>
      <TextField
        label="Workspace name"
        name="name"
        autoFocus
        required
        missing={FIELD_TEXTS.workspace}
        maxCharacters={MAX_NAME_LENGTH}
        autoComplete="organization"
        hint="A club, a team, a family. It starts with one page to try things on."
        problem={problem}
      />
      <Button type="submit" look="primary" size="wide" disabled={isBusy}>
        Create workspace
      </Button>
      <p className="secondary">Invited to one? Open the link that you were sent.</p>
    </Form>
  );
}
