// Registers the service worker, which caches the app's own files so that it starts offline. Documents are in IndexedDB,
// not here. A new version waits until the next start or `reload`: a reload in the middle of a sentence would
// surprise people, and open tabs keep finding the files they were built with.

/** A tab that becomes visible checks for a new version at most this often. */
const CHECK_EVERY_MS = 60 * 60 * 1000;

export interface AppUpdate {
  /** Activates the newest version (WF004 asks for one) and reloads the page. */
  reload(): Promise<void>;
}

/** Call once, after the first screen has rendered. Without service workers the app works, but starts only online. */
export function registerServiceWorker(): AppUpdate {
  let registration: ServiceWorkerRegistration | undefined;

  const start = async () => {
    const registered = await navigator.serviceWorker.register('/sw.js', { scope: '/', updateViaCache: 'none' });
    registration = registered;
    let checkedAt = Date.now();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible' || Date.now() - checkedAt < CHECK_EVERY_MS) return;
      checkedAt = Date.now();
      registered.update().catch(ignore);
    });
    await cacheConfig();
  };

  // Only in a build: in development the modules change all the time.
  if (import.meta.env.PROD && 'serviceWorker' in navigator) start().catch(ignore);

  return {
    async reload() {
      await registration?.update().catch(ignore);
      const next = registration?.waiting ?? registration?.installing;
      if (next) await activate(next);
      location.reload();
    },
  };
}

/** The very first page load fetched its configuration before there was a service worker that could cache it. */
async function cacheConfig(): Promise<void> {
  await navigator.serviceWorker.ready;
  const cache = await caches.open('config');
  if ((await cache.match('/config.json')) === undefined) await cache.add('/config.json');
}

async function activate(worker: ServiceWorker): Promise<void> {
  if (worker.state === 'installing') await nextStateChange(worker);
  if (worker.state !== 'installed') return;
  const changed = nextStateChange(worker);
  worker.postMessage({ type: 'SKIP_WAITING' });
  await changed;
}

const nextStateChange = (worker: ServiceWorker): Promise<void> =>
  new Promise((resolve) => worker.addEventListener('statechange', () => resolve(), { once: true }));

/** Browsers refuse service workers in private windows, insecure contexts and offline; the page works without one. */
function ignore(): void {}
