// Asks watchers of the page to follow a presenter. The code loads when the first one presents.
import { useState, useSyncExternalStore } from 'react';
import { latePart } from '../../ui/feedback/late-part.tsx';
import type { FollowPresenterProps } from './follow-presenter.tsx';

const FollowPresenter = latePart(async () => (await import('./follow-presenter.tsx')).FollowPresenter);

export function PresenterSlot(props: FollowPresenterProps) {
  const { watch } = props;
  const { presenter } = useSyncExternalStore(watch.subscribe, watch.getView);
  const [last, setLast] = useState(presenter);
  if (presenter !== null && presenter.user !== last?.user) setLast(presenter);
  // Another presenter asks anew. Watchers by link learn no user: for them it is the same one until it is over.
  return last && <FollowPresenter key={last.user} {...props} />;
}
