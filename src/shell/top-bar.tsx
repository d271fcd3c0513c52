// The bar above a screen: the sidebar button, the path of the page, the receipt, and the actions at the end.
import Lock from 'lucide-react/icons/lock';
import MenuIcon from 'lucide-react/icons/menu';
import PanelLeft from 'lucide-react/icons/panel-left';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { IconButton } from '../ui/controls/button.tsx';
import { PageIcon } from '../ui/page-icon/page-icon.tsx';
import { useShell } from './shell-context.ts';

export type Crumb = { readonly to: string; readonly name: string; readonly icon: string | null };

type TopBarProps = {
  readonly ancestors?: readonly Crumb[];
  readonly name?: string;
  /** The icon beside `name`. */
  readonly icon?: string | null;
  /** Only some of the workspace can open the page. */
  readonly isRestricted?: boolean;
  readonly receipt: ReactNode;
  readonly actions: ReactNode;
  /** Shown under the bar, never over the text. */
  readonly banner?: ReactNode;
};

export function TopBar({
  ancestors = [],
  name,
  icon = null,
  isRestricted = false,
  receipt,
  actions,
  banner,
}: TopBarProps) {
  const { isSidebarOpen, toggleSidebar } = useShell();
  return (
    <header className="top">
      <div className="bar">
        <IconButton
          label={isSidebarOpen ? 'Hide pages' : 'Show pages'}
          aria-expanded={isSidebarOpen}
          onClick={toggleSidebar}
        >
          <PanelLeft className="icon hide-on-phones" />
          <MenuIcon className="icon phones-only" />
        </IconButton>
        {name !== undefined && (
          <nav className="crumbs hide-on-phones" aria-label="Where this is">
            {ancestors.map(({ to, name: one, icon: oneIcon }) => (
              <Fragment key={to}>
                <Link className="truncate" to={to}>
                  {oneIcon !== null && <PageIcon icon={oneIcon} />}
                  {one}
                </Link>
                <span className="slash" aria-hidden="true">
                  /
                </span>
              </Fragment>
            ))}
            {isRestricted && <Lock className="page-icon" role="img" aria-label="Restricted" />}
            {icon !== null && <PageIcon icon={icon} />}
            <b className="truncate">{name}</b>
          </nav>
        )}
        {receipt}
        <div className="end">{actions}</div>
      </div>
      {banner}
    </header>
  );
}
