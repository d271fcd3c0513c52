// A modal dialog: 84 px from the top so that the page stays visible; on phones a sheet at the bottom.
import X from 'lucide-react/icons/x';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from '../controls/button.tsx';
import { DialogClose, DialogLayer, DialogTitle } from './dialog-layer.tsx';

type DialogProps = {
  readonly title: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Gets the focus, unless a finger opened the dialog: then the on-screen keyboard would open. Default: the first control. */
  readonly focus?: RefObject<HTMLElement | null>;
  /** Gets the focus when the dialog closes. Null: what had it before. */
  readonly returnFocusTo?: (() => HTMLElement | null) | undefined;
  readonly size?: 'large' | 'normal' | 'small';
  /** Shown beside the title. */
  readonly aside?: ReactNode;
  /** `section` and `footer` elements; the styles dress these. */
  readonly children: ReactNode;
};

export function Dialog({
  title,
  open,
  onOpenChange,
  focus,
  returnFocusTo,
  size = 'normal',
  aside,
  children,
}: DialogProps) {
  return (
    <DialogLayer
      open={open}
      onOpenChange={onOpenChange}
      scrim="scrim"
      className="dialog"
      data-size={size}
      finalFocus={returnFocusTo ?? true}
      initialFocus={(by) => (by === 'touch' ? true : (focus?.current ?? true))}
    >
      <header>
        <DialogTitle>{title}</DialogTitle>
        {aside}
        <DialogClose render={<IconButton label="Close" />}>
          <X className="icon" />
        </DialogClose>
      </header>
      {children}
    </DialogLayer>
  );
}
