// The layout of the screens on the way to a workspace (signing in, an invitation, a link, the first workspace): a form,
// and beside it, on phones above it, a woven picture.
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
