// The frame around a page: solid while this person follows another one, woven while they present, in the color of the
// person who leads, if it is known. At its foot is a tab that says so.
import type { ReactNode } from 'react';
import './following.css';

type FollowFrameProps = {
  readonly kind: 'follow' | 'present';
  readonly color: string | null;
  /** The screen reader's announcement when it changes. */
  readonly status: ReactNode;
  /** The buttons of the tab. */
  readonly children: ReactNode;
};

export function FollowFrame({ kind, color, status, children }: FollowFrameProps) {
  return (
    <div className="follow-frame" data-kind={kind} data-dye={color ?? undefined}>
      <div className="follow-tab" data-follow-tab>
        <span className="follow-status" role="status">
          {status}
        </span>
        {children}
      </div>
    </div>
  );
}
