// The content of a screen, or of a part of one, that has nothing to show: one heading, one sentence, and at most a few
// actions.
import type { ComponentProps, ReactNode } from 'react';

type EmptyStateProps = Pick<ComponentProps<'div'>, 'ref' | 'tabIndex' | 'onFocus'> & {
  readonly title: string;
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
};

export function EmptyState({ title, level = 2, children, actions, ...props }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div {...props} className="empty">
      <Heading>{title}</Heading>
      {children}
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
  );
}
