// The frame around a page: solid while someone follows a person, woven while someone presents, in that person's color. At its
// foot is a tab that says so.
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
