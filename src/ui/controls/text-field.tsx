// A labelled one-line field. The problem with its value stands below it and is announced with it: what the caller found, or what
// the field itself refuses: a text that is too long at once, anything else when its form is sent (`Form`).
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { FIELD_TEXTS, tooLongText } from '../../texts/field-texts.ts';

/** Without `maxLength`, by which an input drops what is typed beyond it without a word. */
type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'maxLength'> & {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | null | undefined;
  /** The problem to show when the field is left empty. */
  readonly missing?: string;
  /** A longer value stays as it was typed, says so, and is not sent. Code points, as the database counts. */
  readonly maxCharacters?: number;
  /** Shown at the end of the label's line. */
  readonly aside?: ReactNode;
};

export function TextField({ label, hint, aside, missing, maxCharacters = Infinity, ...rest }: TextFieldProps) {
  const { problem: reported, onChange, ...props } = rest;
  const [refusal, setRefusal] = useState<string | null>(null);
  const problem = refusal ?? reported;
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
        className="input"
        onInvalid={(event) => {
          // No bubble of the browser.
          event.preventDefault();
          setRefusal(refusalOf(event.currentTarget, missing));
        }}
        onChange={(event) => {
          const field = event.currentTarget;
          const tooLong = tooLongText(field.value, maxCharacters);
          field.setCustomValidity(tooLong ?? '');
          setRefusal(tooLong);
          onChange?.(event);
        }}
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

function refusalOf({ validity, validationMessage }: HTMLInputElement, missing: string = FIELD_TEXTS.missing): string {
  if (validity.customError) return validationMessage;
  if (validity.valueMissing) return missing;
  if (validity.tooShort) return FIELD_TEXTS.weakPassword;
  return validity.typeMismatch ? FIELD_TEXTS.badEmail : FIELD_TEXTS.malformed;
}
