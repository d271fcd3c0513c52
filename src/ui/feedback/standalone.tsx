// A whole screen that has nothing to show: the logo, one heading, one sentence, and what the person can do.
import type { ReactNode } from 'react';
import { Logo } from '../mark/logo.tsx';
import { EmptyState } from './empty-state.tsx';

type StandaloneProps = { readonly title: string; readonly children?: ReactNode; readonly actions?: ReactNode };

export function Standalone({ title, children, actions }: StandaloneProps) {
  return (
    <StandaloneFrame>
      <EmptyState level={1} title={title} actions={actions}>
        {children}
      </EmptyState>
    </StandaloneFrame>
  );
}

export function StandaloneFrame({ children }: { readonly children: ReactNode }) {
  return (
    <main className="standalone">
      <a href="/" aria-label="Weft, start">
        <Logo />
      </a>
      {children}
    </main>
  );
}
