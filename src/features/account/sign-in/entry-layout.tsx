// The frame of every screen before a workspace: a form on the left, the cloth on the right.
import type { ReactNode } from 'react';
import { Logo } from '../../../ui/mark/mark.tsx';
import { Cloth } from './woven-art.tsx';
import './entry.css';

export function Gate({ children, foot }: { readonly children: ReactNode; readonly foot?: ReactNode }) {
  return (
    <div className="gate">
      <main className="gate-form">
        <Logo />
        {children}
        {foot}
      </main>
      <Cloth />
    </div>
  );
}
