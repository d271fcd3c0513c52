// The bar that steps through the changes since the last visit, with its keys. It says each step to a screen reader.
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import X from 'lucide-react/icons/x';
import { IconButton } from '../../ui/controls/button.tsx';
import { useStepKeys } from './step-keys.ts';
import './changes.css';

type ChangeStepperProps = {
  /** From 1; 0 before the first step. */
  readonly at: number;
  readonly count: number;
  /** There are more changes, which are not marked. */
  readonly isCut: boolean;
  /** "yesterday", and the time on that day, which phones leave out. */
  readonly since: { readonly day: string; readonly time: string | null };
  readonly says: string | null;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
};

export function ChangeStepper({ at, count, isCut, since, says, onStep, onClose }: ChangeStepperProps) {
  useStepKeys('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]', onStep);
  return (
    <div className="change-stepper" role="toolbar" aria-label="Changes since your last visit">
      <span>
        <b>{at === 0 ? countText(count, isCut) : `${at} of ${countText(count, isCut)}`}</b>
        <span className="secondary">
          {count === 1 ? 'change' : 'changes'} since {since.day}
          {since.time !== null && <span className="hide-on-phones"> at {since.time}</span>}
        </span>
      </span>
      <span className="steps">
        <IconButton label="Previous change" aria-keyshortcuts="Shift+N" onClick={() => onStep(-1)}>
          <ChevronUp className="icon" aria-hidden size={16} />
        </IconButton>
        <IconButton label="Next change" aria-keyshortcuts="N" onClick={() => onStep(1)}>
          <ChevronDown className="icon" aria-hidden size={16} />
        </IconButton>
        <IconButton label="Hide changes" onClick={onClose}>
          <X className="icon" aria-hidden size={16} />
        </IconButton>
      </span>
      <p className="sr-only" role="status">
        {says}
      </p>
    </div>
  );
}

const countText = (count: number, isCut: boolean): string => `${count.toLocaleString('en')}${isCut ? '+' : ''}`;
