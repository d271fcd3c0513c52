// One line under the top bar or at the top of a panel: what the person has to know, and the action that helps.
import type { ReactNode } from 'react';

type BannerProps = {
  /** `warning`: something waits or is out of date; `info`: good to know; `error`: someone must act. */
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
