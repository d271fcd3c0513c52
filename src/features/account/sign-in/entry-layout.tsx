// The layout of every screen before a workspace: a form on the left, a woven picture on the right.
import { type ReactNode, Suspense, lazy } from 'react';
import { Logo } from '../../../ui/mark/logo.tsx';
import './entry.css';

/** Loads beside the form, which does not wait for it. */
const WovenArt = lazy(async () => ({ default: (await import('./woven-art.tsx')).WovenArt }));

export function EntryLayout({ children, foot }: { readonly children: ReactNode; readonly foot?: ReactNode }) {
  return (
    <div className="entry">
      <main className="entry-form">
        <Logo />
        {children}
        {foot}
      </main>
      <Suspense fallback={<div className="cloth" />}>
        <WovenArt />
      </Suspense>
    </div>
  );
}
