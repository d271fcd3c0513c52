// Asks for the name of a version.
import { useRef, useState } from 'react';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import { textOf } from '../../../texts/error-texts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form } from '../../../ui/controls/form.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { Dialog } from '../../../ui/floating/dialog.tsx';

/** The limit of `name_version`. */
const MAX_NAME = 200;

type NameVersionProps = {
  readonly title: string;
  readonly initial: string;
  /** Resolves with the error, or null. */
  readonly onName: (name: string) => Promise<WeftError | null>;
  readonly onClose: () => void;
};

export function NameVersion({ title, initial, onName, onClose }: NameVersionProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const send = async (form: FormData) => {
    const given = form.get('name');
    setBusy(true);
    const error = await onName(typeof given === 'string' ? given.trim() : '');
    setBusy(false);
    if (error === null) onClose();
    else setProblem(textOf(error));
  };
  return (
    <Dialog title={title} open size="small" focus={field} onOpenChange={onClose}>
      <Form onSend={(form) => void send(form)}>
        <section>
          <TextField
            ref={field}
            label="Name"
            name="name"
            required
            defaultValue={initial}
            maxCharacters={MAX_NAME}
            autoComplete="off"
            problem={problem}
            onChange={() => setProblem(null)}
          />
        </section>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            Save
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}
