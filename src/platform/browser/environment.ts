// The Surroundings port: network and visibility of this page.
import type { Surroundings } from '../../sync/ports.ts';

export const browserEnvironment: Surroundings = {
  isOnline: () => navigator.onLine,
  isVisible: () => document.visibilityState === 'visible',
  onChange(run) {
    const online = () => run('online');
    const offline = () => run('offline');
    const visibility = () => run(document.visibilityState === 'visible' ? 'visible' : 'hidden');
    // realtime-js closes its socket in `pagehide`, and some browsers skip `visibilitychange` when a page is left:
    // whichever comes first says it, twice does no harm.
    const hide = () => run('hidden');
    // Back from the back/forward cache, where no timer ran and every socket is gone.
    const show = (event: PageTransitionEvent) => {
      if (event.persisted) run('visible');
    };
    addEventListener('online', online);
    addEventListener('offline', offline);
    addEventListener('pagehide', hide);
    addEventListener('pageshow', show);
    document.addEventListener('visibilitychange', visibility);
    return () => {
      removeEventListener('online', online);
      removeEventListener('offline', offline);
      removeEventListener('pagehide', hide);
      removeEventListener('pageshow', show);
      document.removeEventListener('visibilitychange', visibility);
    };
  },
};
