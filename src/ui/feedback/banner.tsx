// One line under the top bar: what the person has to know about the page, and the action that helps.
import type { ReactNode } from 'react';

type BannerProps = {
  /** `warning`: edits are not on the server; `info`: good to know; `error`: someone must act. */
  readonly kind: 'warning' | 'info' | 'error';
  readonly icon: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

export function Banner({ kind, icon, action, children }: BannerProps) {
  return (
    <div className="banner" data-kind={kind} role="status">
      {icon}
      <p className="grow">{children}</p>
      {action}
    </div>
  );
}
