// The title of a page as a field in its row: Enter and leaving it save, Escape does not. A title that is too long says so and
// is not saved.
import { useId, useRef, useState } from 'react';
import { MAX_TITLE_LENGTH } from '../../protocol/limits.ts';
import { tooLongText } from '../../texts/field-texts.ts';
import { isComposing } from '../../ui/browser/is-composing.ts';

type RenameFieldProps = {
  readonly title: string;
  /** Receives the new title, or null if the person gave up or changed nothing. */
  readonly onDone: (title: string | null) => void;
};

const problemOf = (title: string): string | null => tooLongText(title, MAX_TITLE_LENGTH);

export function RenameField({ title, onDone }: RenameFieldProps) {
  const id = useId();
  const isDone = useRef(false);
  const [problem, setProblem] = useState<string | null>(null);
  const finish = (typed: string | null) => {
    // Removing the field takes the focus from it, which would finish a second time.
    if (isDone.current) return;
    isDone.current = true;
    const next = typed?.trim() ?? null;
    onDone(next === title ? null : next);
  };
  return (
    <>
      <input
        className="row-rename grow"
        aria-label="Page title"
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : id}
        defaultValue={title}
        ref={(field) => field?.select()}
        autoFocus
        onChange={(event) => setProblem(problemOf(event.currentTarget.value))}
        onBlur={(event) => finish(problemOf(event.currentTarget.value) === null ? event.currentTarget.value : null)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (isComposing(event.nativeEvent)) return;
          if (event.key === 'Enter' && problem === null) finish(event.currentTarget.value);
          else if (event.key === 'Escape') finish(null);
        }}
      />
      {problem !== null && (
        <span id={id} className="row-problem" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
