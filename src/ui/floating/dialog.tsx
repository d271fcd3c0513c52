// A modal dialog: 84 px from the top so that the page stays visible, a sheet from below on phones.
import { Dialog as Base } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from '../controls/button.tsx';

type DialogProps = {
  readonly title: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Where a keyboard is; else, and with a finger, which would open the keyboard of the screen: the first control. */
  readonly focus?: RefObject<HTMLElement | null>;
  readonly size?: 'large' | 'normal' | 'small';
  /** `section` and `footer` elements. */
  readonly children: ReactNode;
};

export function Dialog({ title, open, onOpenChange, focus, size = 'normal', children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup
          className="dialog"
          data-size={size}
          initialFocus={(by) => (by === 'touch' ? true : (focus?.current ?? true))}
        >
          <header>
            <Base.Title>{title}</Base.Title>
            <Base.Close render={<IconButton label="Close" />}>
              <X className="icon" />
            </Base.Close>
          </header>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
