// The line above the page: its moment, who wrote, how many words came and went, and the steps through its changes.
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import X from 'lucide-react/icons/x';
import { useStepKeys } from '../../../editor/changes/step-keys.ts';
import { counted } from '../../../lib/text/counted.ts';
import { IconButton } from '../../../ui/controls/button.tsx';

type MomentBarProps = {
  readonly moment: string;
  readonly details: readonly string[];
  /** The version that it is compared with, if not the one before. */
  readonly comparedWith: string | null;
  readonly onCompareWithBefore: () => void;
  readonly count: number;
  /** From 1; 0 before the first step. */
  readonly at: number;
  readonly onStep: (by: 1 | -1) => void;
};

export function MomentBar(props: MomentBarProps) {
  const { moment, details, comparedWith, onCompareWithBefore, count, at, onStep } = props;
  useStepKeys('input, textarea, select, [role="dialog"], [role="menu"]', (by) => count > 0 && onStep(by));
  return (
    <div className="moment">
      <b>{moment}</b>
      {details.length > 0 && <span className="hide-on-phones truncate">· {details.join(' · ')}</span>}
      {comparedWith !== null && (
        <span className="compared">
          <span className="truncate">compared with {comparedWith}</span>
          <button type="button" aria-label="Compare with the version before" onClick={onCompareWithBefore}>
            <X className="icon" aria-hidden size={12} />
          </button>
        </span>
      )}
      <span className="grow" />
      {count > 0 && (
        <>
          <span className="moment-count">{at === 0 ? counted(count, 'change') : `${at} of ${count}`}</span>
          <IconButton label="Previous change" aria-keyshortcuts="Shift+N" onClick={() => onStep(-1)}>
            <ChevronUp className="icon" aria-hidden size={16} />
          </IconButton>
          <IconButton label="Next change" aria-keyshortcuts="N" onClick={() => onStep(1)}>
            <ChevronDown className="icon" aria-hidden size={16} />
          </IconButton>
        </>
      )}
    </div>
  );
}
