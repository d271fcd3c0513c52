// Asks before something that cannot be undone, or that affects others. The dialog shows errors.
import { type ReactNode, useState } from 'react';
import { Button } from '../controls/button.tsx';
import { TextField } from '../controls/text-field.tsx';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  readonly title: string;
  /** The words of the button that does it. */
  readonly action: string;
  /** Must be typed before it can be done. */
  readonly phrase?: string;
  /** Resolves with an error text, or with null: then the dialog closes. */
  readonly onConfirm: () => Promise<string | null>;
  readonly onClose: () => void;
  /** Called instead of `onClose` when it is done. */
  readonly onDone?: () => void;
  readonly returnFocusTo?: () => HTMLElement | null;
  /** The explanation of the consequences. */
  readonly children: ReactNode;
};

export function ConfirmDialog({
  title,
  action,
  phrase,
  onConfirm,
  onClose,
  onDone = onClose,
  returnFocusTo,
  children,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setProblem(null);
    const wrong = await onConfirm();
    if (wrong === null) return onDone();
    setBusy(false);
    setProblem(wrong);
  };
  return (
    <Dialog title={title} open size="small" onOpenChange={onClose} returnFocusTo={returnFocusTo}>
      <section>
        <p>{children}</p>
        {phrase === undefined ? (
          problem !== null && <p role="alert">{problem}</p>
        ) : (
          <TextField
            label={`Type “${phrase}” to confirm`}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
            problem={problem}
          />
        )}
      </section>
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          disabled={isBusy || (phrase !== undefined && typed.trim() !== phrase)}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
