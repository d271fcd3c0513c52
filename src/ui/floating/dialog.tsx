// A modal dialog: 84 px from the top so that the page stays visible; on phones a sheet at the bottom.
import { Dialog as Base } from '@base-ui/react/dialog';
import X from 'lucide-react/icons/x';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from '../controls/button.tsx';

type DialogProps = {
  readonly title: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Gets the focus, unless a finger opened the dialog: then the on-screen keyboard would open. Default: the first control. */
  readonly focus?: RefObject<HTMLElement | null>;
  readonly size?: 'large' | 'normal' | 'small';
  /** Shown beside the title. */
  readonly aside?: ReactNode;
  /** `section` and `footer` elements; the styles dress these. */
  readonly children: ReactNode;
};

export function Dialog({ title, open, onOpenChange, focus, size = 'normal', aside, children }: DialogProps) {
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
            {aside}
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
