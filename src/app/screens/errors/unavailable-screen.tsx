// A page or link that does not exist or that the person may not open. The server answers the same in both cases.
import { type ReactNode } from 'react';
import { type WeftError, textOf, weftError } from '../../../protocol/errors.ts';
import { Logo } from '../../../ui/mark/logo.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

type UnavailableProps = { readonly error?: WeftError; readonly children?: ReactNode; readonly actions?: ReactNode };

/** Inside the layout of a workspace. */
export function Unavailable({ error = weftError('WF001'), children, actions }: UnavailableProps) {
  return (
    <div className="placeholder">
      <EmptyState level={1} title={textOf(error)} actions={actions}>
        {children}
      </EmptyState>
    </div>
  );
}

/** The same, as a whole screen. */
export function UnavailableScreen(props: UnavailableProps) {
  return (
    <main className="standalone">
      <a href="/" aria-label="Weft, start">
        <Logo />
      </a>
      <EmptyState level={1} title={textOf(props.error ?? weftError('WF001'))} actions={props.actions}>
        {props.children}
      </EmptyState>
    </main>
  );
}
