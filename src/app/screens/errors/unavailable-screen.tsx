// Something is not there or may not be seen. It may be both: the server does not tell the two apart.
import { type ReactNode } from 'react';
import { type WeftError, textOf, weftError } from '../../../protocol/errors.ts';
import { Logo } from '../../../ui/mark/mark.tsx';
import { Empty } from '../../../ui/feedback/skeleton.tsx';

type GoneProps = { readonly error?: WeftError; readonly children?: ReactNode; readonly actions?: ReactNode };

/** Inside a workspace's frame. */
export function Gone({ error = weftError('WF001'), children, actions }: GoneProps) {
  return (
    <div className="place">
      <Empty level={1} title={textOf(error)} actions={actions}>
        {children}
      </Empty>
    </div>
  );
}

/** Without any frame. */
export function GoneScreen(props: GoneProps) {
  return (
    <main className="alone">
      <a href="/" aria-label="Weft, start">
        <Logo />
      </a>
      <Empty level={1} title={textOf(props.error ?? weftError('WF001'))} actions={props.actions}>
        {props.children}
      </Empty>
    </main>
  );
}
