// A small layer beside the button that opens it, or at an element.
import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { ErrorBoundary } from '../feedback/error-boundary.tsx';

type PopoverProps = {
  readonly label: string;
  /** The button. Base UI adds the props that open the layer. */
  readonly trigger: ReactElement;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly side?: 'top' | 'bottom';
  readonly align?: 'start' | 'center' | 'end';
  readonly className?: string;
  readonly children: ReactNode;
};

export function Popover(props: PopoverProps) {
  const { open, onOpenChange } = props;
  return (
    <Base.Root {...(open === undefined ? {} : { open })} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <Base.Trigger render={props.trigger} />
      <Base.Portal>
        <Base.Positioner
          className="layer"
          side={props.side ?? 'bottom'}
          align={props.align ?? 'start'}
          sideOffset={6}
          collisionPadding={8}
        >
          <Base.Popup className={`pop ${props.className ?? ''}`} aria-label={props.label}>
            <ErrorBoundary>{props.children}</ErrorBoundary>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type PopoverAtElementProps = {
  readonly label: string;
  /** The layer opens here; an element that React did not render. */
  readonly anchor: Element;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/**
 * Opens as soon as it is rendered, with the focus in its first field; the parent unmounts it in `onClose`, and moves the
 * focus, which this leaves alone.
 */
export function PopoverAtElement({ label, anchor, className = '', onClose, children }: PopoverAtElementProps) {
  return (
    <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner className="layer" anchor={anchor} align="start" sideOffset={6} collisionPadding={8}>
          <Base.Popup className={`pop ${className}`} aria-label={label} finalFocus={false}>
            <ErrorBoundary>{children}</ErrorBoundary>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
