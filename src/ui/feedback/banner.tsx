// One line under the bar that says what is wrong with the page, and what helps.
import type { ReactNode } from 'react';

type BannerProps = {
  /** `held`: not safe elsewhere; `calm`: good to know; `stop`: a person must act. */
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
