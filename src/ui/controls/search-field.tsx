// A large field that searches what stands below it, with a button that clears it.
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import type { ComponentProps, RefObject } from 'react';
import { IconButton } from './button.tsx';
import './search-field.css';

type SearchFieldProps = Omit<ComponentProps<'input'>, 'ref' | 'value' | 'onChange'> & {
  readonly field: RefObject<HTMLInputElement | null>;
  /** The accessible name and the placeholder. */
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
};

export function SearchField({ field, label, value, onValue, ...props }: SearchFieldProps) {
  return (
    <div className="search-field" role="search">
      <Search className="icon" aria-hidden />
      <input
        {...props}
        ref={field}
        className="input"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      {value !== '' && (
        <IconButton
          label="Clear"
          onClick={() => {
            onValue('');
            field.current?.focus();
          }}
        >
          <X className="icon" />
        </IconButton>
      )}
    </div>
  );
}
