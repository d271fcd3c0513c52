// The menu behind a button with three dots.
import Ellipsis from 'lucide-react/icons/ellipsis';
import type { ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import { Menu } from './menu.tsx';

type MoreMenuProps = {
  readonly label?: string;
  readonly children: ReactNode;
};

export function MoreMenu({ label = 'More', children }: MoreMenuProps) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={label}>
          <Ellipsis className="icon" />
        </IconButton>
      }
    >
      {children}
    </Menu>
  );
}
