// Menus of actions: beside a button, at an element, or at a point on the screen.
import { Menu as Base } from '@base-ui/react/menu';
import Check from 'lucide-react/icons/check';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactElement, ReactNode } from 'react';
import { ErrorBoundary } from '../feedback/error-boundary.tsx';

type MenuProps = {
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly onOpenChange?: (open: boolean) => void;
  readonly children: ReactNode;
};

export function Menu({ trigger, align = 'start', onOpenChange, children }: MenuProps) {
  return (
    <Base.Root onOpenChange={(isOpen) => onOpenChange?.(isOpen)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        {/* Fixed, as most of these buttons are: otherwise the items move under the pointer while the page scrolls. */}
        <Base.Positioner className="layer" positionMethod="fixed" align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className="pop menu">
            <ErrorBoundary>{children}</ErrorBoundary>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type MenuAtPointProps = {
  readonly label: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly anchor: { getBoundingClientRect(): DOMRect } | null;
  readonly returnFocusTo: () => HTMLElement | null;
  readonly children: ReactNode;
};

/** A menu that no button of React opens, at an element or a point on the screen. When it closes, `returnFocusTo` gets the focus. */
export function MenuAtPoint({ label, open, onOpenChange, anchor, returnFocusTo, children }: MenuAtPointProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Base.Portal>
        <Base.Positioner className="layer" align="start" sideOffset={4} collisionPadding={8} anchor={anchor}>
          <Base.Popup className="pop menu" aria-label={label} finalFocus={returnFocusTo}>
            <ErrorBoundary>{children}</ErrorBoundary>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type SubMenuProps = { readonly icon?: ReactNode; readonly label: string; readonly children: ReactNode };

/** An item that opens another menu beside it. */
export function SubMenu({ icon, label, children }: SubMenuProps) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className="menu-item">
        {icon}
        <span className="menu-words">{label}</span>
        <ChevronRight className="icon" aria-hidden size={14} />
      </Base.SubmenuTrigger>
      <Base.Portal>
        {/* Fixed, as the menu beside it. */}
        <Base.Positioner className="layer" positionMethod="fixed" sideOffset={2} alignOffset={-5} collisionPadding={8}>
          <Base.Popup className="pop menu">
            <ErrorBoundary>{children}</ErrorBoundary>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

type MenuItemProps = {
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
  /** The shortcut that does the same. */
  readonly keys?: string;
  /** It takes something away. */
  readonly isDanger?: boolean;
  readonly onSelect?: () => void;
  readonly children: ReactNode;
};

export function MenuItem({ icon, disabled = false, keys, isDanger, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item className="menu-item" disabled={disabled} data-danger={isDanger} onClick={onSelect}>
      {icon}
      {children}
      {keys !== undefined && <kbd className="menu-keys">{keys}</kbd>}
    </Base.Item>
  );
}

type MenuCheckItemProps = {
  readonly checked: boolean;
  readonly onCheckedChange: (checked: boolean) => void;
  readonly children: ReactNode;
};

/** An item that switches something on or off; a check mark shows that it is on. */
export function MenuCheckItem({ checked, onCheckedChange, children }: MenuCheckItemProps) {
  return (
    <Base.CheckboxItem className="menu-item" checked={checked} closeOnClick onCheckedChange={onCheckedChange}>
      {checked ? <Check className="icon" aria-hidden /> : <span className="icon" />}
      {children}
    </Base.CheckboxItem>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <p className="menu-label">{children}</p>;
}

export const MenuSeparator = () => <hr />;
