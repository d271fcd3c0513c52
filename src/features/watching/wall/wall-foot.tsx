// The foot of the wall view (`?wall`: a page on a screen that people only look at): whether the page is live, its title, who
// presents, and the time. The full-screen button hides while no one is at the screen.
import Maximize from 'lucide-react/icons/maximize';
import Minimize from 'lucide-react/icons/minimize';
import Presentation from 'lucide-react/icons/presentation';
import { useContext, useSyncExternalStore } from 'react';
import type { WatchView } from 'weft-sync/session/views.ts';
import { timeOf } from '../../../lib/text/times.ts';
import { useNow } from '../../../ui/browser/use-time.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { firstNameOf } from '../../../ui/people/first-name.ts';
import { PersonTag } from '../../../ui/people/person-tag.tsx';
import { LiveBadge } from '../live-badge.tsx';
import { PresenterContext } from '../presenter-name.ts';

export function WallFoot({ view }: { readonly view: WatchView }) {
  const now = useNow(1_000);
  return (
    <footer className="wall-foot">
      <LiveBadge phase={view.phase} changedAt={view.changedAt} />
      <span className="wall-said grow truncate" dir="auto">
        {view.title}
      </span>
      {view.presenter !== null && <Presenter />}
      <FullScreenButton />
      <time className="wall-clock">{timeOf(now)}</time>
    </footer>
  );
}

function Presenter() {
  const person = useContext(PresenterContext);
  return (
    <span className="wall-said wall-presenter">
      {person === null ? (
        <Presentation className="icon" aria-hidden size={28} />
      ) : (
        <PersonTag name={person.name} color={person.color} picture={person.picture} size="large" />
      )}
      <span className="truncate">
        <bdi>{person === null ? 'An editor' : firstNameOf(person.name)}</bdi> is presenting
      </span>
    </span>
  );
}

function FullScreenButton() {
  const isFull = useSyncExternalStore(onFullScreen, () => document.fullscreenElement !== null);
  if (!document.fullscreenEnabled) return null;
  const change = () => (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return (
    <IconButton
      label={isFull ? 'Leave full screen' : 'Full screen'}
      className="wall-control"
      // The browser may refuse it.
      onClick={() => void change().catch(() => undefined)}
    >
      {isFull ? <Minimize className="icon" size={22} /> : <Maximize className="icon" size={22} />}
    </IconButton>
  );
}

function onFullScreen(run: () => void): () => void {
  document.addEventListener('fullscreenchange', run);
  return () => document.removeEventListener('fullscreenchange', run);
}
