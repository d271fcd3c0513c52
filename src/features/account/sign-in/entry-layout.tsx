// The layout of every screen before a workspace: a form on the left, a woven picture on the right.
import type { ReactNode } from 'react';
import { Logo } from '../../../ui/mark/logo.tsx';
import { WovenArt } from './woven-art.tsx';
import './entry.css';

export function EntryLayout({ children, foot }: { readonly children: ReactNode; readonly foot?: ReactNode }) {
  return (
    <div className="entry">
      <main className="entry-form">
        <Logo />
        {children}
        {foot}
      </main>
      <WovenArt />
    </div>
  );
}
