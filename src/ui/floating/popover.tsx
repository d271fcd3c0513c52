// A small layer beside the button that opens it, or at an element.
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { ErrorBoundary } from '../feedback/error-boundary.tsx';
import { LateLayer, useBaseUi } from './late-base-ui.tsx';

type PopoverProps = {
  readonly label: string;
  /** The button. Base UI adds the props that open the layer. */
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly side?: 'top' | 'bottom';
  readonly align?: 'start' | 'center' | 'end';
  readonly className?: string;
  readonly children: ReactNode;
};

export function Popover(props: PopoverProps) {
  const { trigger, open, onOpenChange } = props;
  return (
    <LateLayer trigger={trigger} popup="dialog" open={open} onOpenChange={onOpenChange}>
      {({ Popover: Base }, isOpen) => (
        <Base.Root
          {...(open === undefined ? { defaultOpen: isOpen } : { open })}
          {...(onOpenChange === undefined ? {} : { onOpenChange })}
        >
          <Base.Trigger render={trigger} />
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
      )}
    </LateLayer>
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

/** Opens as soon as it is rendered, with the focus in its first field; the parent unmounts it in `onClose`. */
export function PopoverAtElement({ label, anchor, className = '', onClose, children }: PopoverAtElementProps) {
  const base = useBaseUi(true);
  if (base === null) return null;
  const { Popover: Base } = base;
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
