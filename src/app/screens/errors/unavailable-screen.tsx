// Something is not there or may not be seen. It may be both: the server does not tell the two apart.
import { type ReactNode } from 'react';
import { type WeftError, textOf, weftError } from '../../../protocol/errors.ts';
import { Logo } from '../../../ui/mark/logo.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';

type UnavailableProps = { readonly error?: WeftError; readonly children?: ReactNode; readonly actions?: ReactNode };

/** Inside a workspace's frame. */
export function Unavailable({ error = weftError('WF001'), children, actions }: UnavailableProps) {
  return (
    <div className="placeholder">
      <EmptyState level={1} title={textOf(error)} actions={actions}>
        {children}
      </EmptyState>
    </div>
  );
}

/** Without any frame. */
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
