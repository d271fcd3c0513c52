// The two looks of a filter of the search: with an arrow while it is not set, tinted and with × once it is.
import ChevronDown from 'lucide-react/icons/chevron-down';
import X from 'lucide-react/icons/x';
import type { ComponentProps, ReactNode } from 'react';

/** The button that opens the filter's choices. `Menu` and `Popover` add their props. */
export function FilterButton({ children, ...props }: ComponentProps<'button'>) {
  return (
    <button {...props} type="button" className="chip">
      {children}
      <ChevronDown className="icon" aria-hidden />
    </button>
  );
}

type SetFilterProps = {
  /** “Clear author”. */
  readonly clearLabel: string;
  readonly onClear: () => void;
  readonly children: ReactNode;
};

export function SetFilter({ clearLabel, onClear, children }: SetFilterProps) {
  return (
    <span className="chip" data-set="">
      {children}
      <button type="button" aria-label={clearLabel} title={clearLabel} onClick={onClear}>
        <X className="icon" aria-hidden />
      </button>
    </span>
  );
}
