// A menu of actions beside the button that opens it.
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';

type MenuProps = {
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
};

export function Menu({ trigger, align = 'start', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="layer" align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className="pop menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type AnchoredMenuProps = {
  readonly label: string;
  /** What it opens at: something that React did not draw. */
  readonly anchor: Element;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Open from the start; whoever shows it takes it away when it closes. */
export function AnchoredMenu({ label, anchor, onClose, children }: AnchoredMenuProps) {
  return (
    <Base.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner className="layer" anchor={anchor} align="start" sideOffset={6} collisionPadding={8}>
          <Base.Popup className="pop menu" aria-label={label} finalFocus={false}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type MenuItemProps = {
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
};

export function MenuItem({ icon, disabled = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item className="menu-item" disabled={disabled} onClick={onSelect}>
      {icon}
      {children}
    </Base.Item>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <p className="menu-label">{children}</p>;
}

export const MenuRule = () => <hr />;
