// Keeps the app's own files on this device, so that it starts without network (promise 3). It knows nothing of
// documents: those are in IndexedDB. A new version waits until it is asked for: a reload in the middle of a sentence
// is a surprise, and old tabs go on finding the files they were built with.

/** How often a tab that is looked at again asks for a newer version, in milliseconds. */
const CHECK_EVERY_MS = 60 * 60 * 1000;

export interface AppUpdate {
  /** Goes on with the newest version there is (WF004 needs one): reloads the page. */
  reload(): Promise<void>;
}

/** Call once, after the first screen is drawn. Without service workers the page works, and starts only online. */
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

  // Dev serves modules that change under the worker's feet; only a build has one.
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

/** The very first page asked for its configuration before there was a worker to keep it. */
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

/** Refused in private windows, insecure contexts, or offline: the page is whole without it. */
function ignore(): void {}
