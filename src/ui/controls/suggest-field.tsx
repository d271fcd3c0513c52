// A text field that suggests entries while someone types. The typed text need not be one of them.
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react';
import { isComposing } from '../browser/is-composing.ts';
import './suggest-field.css';

export type Suggestion = {
  /** Unique among the suggestions. */
  readonly id: string;
  readonly name: string;
  readonly note: string | null;
  readonly icon: ReactNode;
};

type SuggestFieldProps = {
  readonly ref?: RefObject<HTMLInputElement | null>;
  /** The name of the field, shown in it while it is empty. */
  readonly label: string;
  readonly text: string;
  readonly suggestions: readonly Suggestion[];
  readonly isWrong: boolean;
  /** The id of the text that says what is wrong. */
  readonly describedBy: string | undefined;
  readonly onType: (text: string) => void;
  readonly onChoose: (suggestion: Suggestion) => void;
};

export function SuggestField({ ref, isWrong, describedBy, ...props }: SuggestFieldProps) {
  const { label, text, suggestions, onType, onChoose } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const shown = isOpen ? suggestions : [];
  const active = shown[Math.min(at, shown.length - 1)];
  const optionId = (one: Suggestion | undefined) => (one === undefined ? undefined : `${id}-${one.id}`);
  const choose = (one: Suggestion) => {
    setOpen(false);
    onChoose(one);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setAt(isOpen && shown.length > 0 ? (at + step + shown.length) % shown.length : 0);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      choose(active);
    } else if (event.key === 'Escape' && shown.length > 0) {
      // Closes the list, not the dialog around the field.
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div className="suggest-field">
      <input
        ref={ref}
        className="input"
        role="combobox"
        aria-label={label}
        aria-expanded={shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={optionId(active)}
        aria-autocomplete="list"
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={text}
        onChange={(event) => {
          onType(event.currentTarget.value);
          setOpen(event.currentTarget.value.trim() !== '');
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        className="suggestions"
        hidden={shown.length === 0}
      >
        {shown.map((one) => (
          <Option key={one.id} id={optionId(one)} suggestion={one} isActive={one === active} onChoose={choose} />
        ))}
      </div>
    </div>
  );
}

type OptionProps = {
  readonly id: string | undefined;
  readonly suggestion: Suggestion;
  readonly isActive: boolean;
  readonly onChoose: (suggestion: Suggestion) => void;
};

const Option = ({ id, suggestion, isActive, onChoose }: OptionProps) => (
  <button
    type="button"
    id={id}
    tabIndex={-1}
    role="option"
    aria-selected={isActive}
    className="suggestion"
    // The field keeps the focus.
    onMouseDown={(event) => event.preventDefault()}
    onClick={() => onChoose(suggestion)}
  >
    {suggestion.icon}
    <span className="grow truncate">
      <bdi>{suggestion.name}</bdi>
    </span>
    {suggestion.note !== null && <small>{suggestion.note}</small>}
  </button>
);
