// A labelled one-line field. The problem with its value stands below it and is announced with it.
import { type ComponentProps, type ReactNode, useId } from 'react';

type TextFieldProps = ComponentProps<'input'> & {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | null | undefined;
  /** Shown at the end of the label's line. */
  readonly aside?: ReactNode;
};

export function TextField({ label, hint, problem, aside, className = '', ...props }: TextFieldProps) {
  const id = useId();
  const note = `${id}-note`;
  const hasNote = hint !== undefined || (problem ?? null) !== null;
  return (
    <div className="field">
      {aside === undefined ? (
        <label htmlFor={id}>{label}</label>
      ) : (
        <div className="field-head">
          <label htmlFor={id}>{label}</label>
          {aside}
        </div>
      )}
      <input
        {...props}
        id={id}
        className={`input ${className}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={hasNote ? note : undefined}
      />
      {problem ? (
        <p id={note} role="alert">
          {problem}
        </p>
      ) : (
        hint !== undefined && <small id={note}>{hint}</small>
      )}
    </div>
  );
}
