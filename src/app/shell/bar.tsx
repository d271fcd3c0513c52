// The bar over a screen: the way to the tree, where this is, its receipt, and on the right what can be done.
import MenuIcon from 'lucide-react/icons/menu';
import PanelLeft from 'lucide-react/icons/panel-left';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { IconButton } from '../../ui/controls/button.tsx';
import { useShell } from './shell-context.ts';

export type Crumb = { readonly to: string; readonly name: string };

type BarProps = {
  readonly above?: readonly Crumb[];
  readonly name?: string;
  readonly receipt: ReactNode;
  readonly end: ReactNode;
  /** Under the bar, never over text. */
  readonly banner?: ReactNode;
};

export function Bar({ above = [], name, receipt, end, banner }: BarProps) {
  const { isSideOpen, toggleSide } = useShell();
  return (
    <header className="top">
      <div className="bar">
        <IconButton label={isSideOpen ? 'Hide pages' : 'Show pages'} aria-expanded={isSideOpen} onClick={toggleSide}>
          <PanelLeft className="icon not-s" />
          <MenuIcon className="icon only-s" />
        </IconButton>
        {name !== undefined && (
          <nav className="crumbs not-s" aria-label="Where this is">
            {above.map(({ to, name: one }) => (
              <Fragment key={to}>
                <Link className="cut" to={to}>
                  {one}
                </Link>
                <span className="slash" aria-hidden="true">
                  /
                </span>
              </Fragment>
            ))}
            <b className="cut">{name}</b>
          </nav>
        )}
        {receipt}
        <div className="end">{end}</div>
      </div>
      {banner}
    </header>
  );
}
