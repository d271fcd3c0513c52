// Asks whether this person follows a presenter: no one is moved unasked.
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import './following.css';

type AskedCardProps = {
  /** "Ada is presenting". */
  readonly title: string;
  readonly note: string;
  readonly tag: ReactNode;
  readonly onDecline: () => void;
  readonly onFollow: () => void;
};

export function AskedCard({ title, note, tag, onDecline, onFollow }: AskedCardProps) {
  return (
    <div className="pop follow-card" role="alertdialog" aria-label={title}>
      {tag}
      <p>
        <bdi>{title}</bdi>
        <small>{note}</small>
      </p>
      <Button look="plain" onClick={onDecline}>
        Not now
      </Button>
      <Button look="primary" onClick={onFollow}>
        Follow
      </Button>
    </div>
  );
}
