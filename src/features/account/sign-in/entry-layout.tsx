// The layout of every screen before a workspace: a form on the left, a woven picture on the right.
import type { ReactNode } from 'react';
import { latePart } from '../../../ui/feedback/late-part.tsx';
import './entry.css';
import { Logo } from '../../../ui/mark/logo.tsx';

/** Loads beside the form, which does not wait for it. */
const WovenArt = latePart(async () => (await import('./woven-art.tsx')).WovenArt, <div className="cloth" />);

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
