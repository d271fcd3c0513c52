// The bar of a watched page: whether it is live, and the reader's tools.
import type { ReactNode } from 'react';
import type { WatchView } from 'weft-sync/session/views.ts';
import { Logo } from '../../ui/mark/logo.tsx';
import { LiveBadge } from './live-badge.tsx';

type WatchBarProps = { readonly view: Pick<WatchView, 'phase' | 'changedAt'>; readonly children?: ReactNode };

export const WatchBar = ({ view, children }: WatchBarProps) => (
  <header className="watch-bar">
    <Logo />
    <LiveBadge phase={view.phase} changedAt={view.changedAt} />
    <span className="grow" />
    {children}
  </header>
);
