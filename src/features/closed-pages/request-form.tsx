// Asks the managers of a page for access to it, with a message.
import { type ReactNode, useId, useState } from 'react';
import { MAX_NOTE_LENGTH } from '../../protocol/limits.ts';
import type { AskedAccess } from '../../state/person/asked-access.ts';
import { textOf } from '../../texts/error-texts.ts';
import { tooLongText } from '../../texts/field-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { ChoiceMenu } from '../../ui/floating/choice-menu.tsx';

type RequestFormProps = {
  readonly asked: AskedAccess;
  /** The person was editing the page, so “Can edit” is chosen until they choose otherwise. */
  readonly isEditing: boolean;
  readonly actions: ReactNode;
};

const ROLES = [
  ['viewer', 'Can view'],
  ['editor', 'Can edit'],
] as const;

export function RequestForm({ asked, isEditing, actions }: RequestFormProps) {
  const id = useId();
  const [note, setNote] = useState('');
  const [role, setRole] = useState<'viewer' | 'editor'>(isEditing ? 'editor' : 'viewer');
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const tooLong = tooLongText(note, MAX_NOTE_LENGTH);
  const problem = tooLong ?? failure;
  const ask = async () => {
    if (tooLong !== null) return;
    setBusy(true);
    setFailure(null);
    const answer = await asked.ask(role, note.trim());
    setBusy(false);
    if (!answer.ok) setFailure(textOf(answer.error));
  };
  return (
    <Form className="request-form" onSend={() => void ask()}>
      <div className="field">
        <label htmlFor={`${id}-note`}>Message</label>
        <textarea
          id={`${id}-note`}
          className="input"
          rows={3}
          dir="auto"
          placeholder="Why you need access (optional)"
          value={note}
          aria-invalid={tooLong !== null || undefined}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {problem !== null && (
          <p id={`${id}-problem`} role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-role`}>Access</label>
        <ChoiceMenu label="Access" id={`${id}-role`} value={role} choices={ROLES} onChange={setRole} />
      </div>
      <div className="actions">
        <Button type="submit" look="primary" disabled={isBusy}>
          Request access
        </Button>
        {actions}
      </div>
    </Form>
  );
}
