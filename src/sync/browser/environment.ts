// The Environment port: whether this page is online and visible.
import type { Environment } from '../ports.ts';

export const browserEnvironment: Environment = {
  isOnline: () => navigator.onLine,
  isVisible: () => document.visibilityState === 'visible',
  onChange(run) {
    const online = () => run('online');
    const offline = () => run('offline');
    const visibility = () => run(document.visibilityState === 'visible' ? 'visible' : 'hidden');
    // realtime-js closes its socket on `pagehide`, and some browsers skip `visibilitychange` when the page is left.
    // The first of these events reports it; twice does no harm.
    const hide = () => run('hidden');
    // The page returns from the back/forward cache, where no timer ran and every socket is gone.
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
