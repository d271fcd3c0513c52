// The title of a page as a field in its row: Enter and leaving it save, Escape does not.
import { useRef } from 'react';
import { isComposing } from '../../ui/browser/is-composing.ts';
import { MAX_TITLE_LENGTH } from '../../protocol/limits.ts';

type RenameFieldProps = {
  readonly title: string;
  /** Receives the new title, or null if the person gave up or changed nothing. */
  readonly onDone: (title: string | null) => void;
};

export function RenameField({ title, onDone }: RenameFieldProps) {
  const isDone = useRef(false);
  const finish = (typed: string | null) => {
    // Removing the field takes the focus from it, which would finish a second time.
    if (isDone.current) return;
    isDone.current = true;
    const next = typed?.trim() ?? null;
    onDone(next === title ? null : next);
  };
  return (
    <input
      className="row-rename grow"
      aria-label="Page title"
      defaultValue={title}
      maxLength={MAX_TITLE_LENGTH}
      ref={(field) => field?.select()}
      autoFocus
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (isComposing(event.nativeEvent)) return;
        if (event.key === 'Enter') finish(event.currentTarget.value);
        else if (event.key === 'Escape') finish(null);
      }}
    />
  );
}
