// Asks watchers of the page to follow a presenter. The code loads when the first one presents.
import { useState, useSyncExternalStore } from 'react';
import { latePart } from '../../ui/feedback/late-part.tsx';
import type { FollowPresenterProps } from './follow-presenter.tsx';

const FollowPresenter = latePart(async () => (await import('./follow-presenter.tsx')).FollowPresenter);

export function PresenterSlot(props: FollowPresenterProps) {
  const { watch } = props;
  const isLed = useSyncExternalStore(watch.subscribe, () => watch.getView().presenter !== null);
  const [wasLed, setWasLed] = useState(false);
  if (isLed && !wasLed) setWasLed(true);
  if (!isLed && !wasLed) return null;
  return <FollowPresenter {...props} />;
}
