// Starts the app in its place in index.html.
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { type DataRouter, createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { assert } from '../lib/assert.ts';
import { type AppUpdate, registerServiceWorker } from '../platform/browser/service-worker.ts';
import { RecentCalls } from '../platform/supabase/recent-calls.ts';
import { appErrorCode } from '../protocol/errors.ts';
import { LateUnsentEdits } from '../screens/errors/error-screen.tsx';
import { AppContext } from '../state/hooks.ts';
import { ErrorDetailsContext } from '../ui/feedback/failed-part.tsx';
import { ConfigScreen } from './config/config-screen.tsx';
import { loadConfig } from './config/run-time-config.ts';
import type { Diagnostics } from './diagnostics/diagnostics.ts';
import { LeaveWarning } from './leave-warning.tsx';
import { routes } from './routes.tsx';
import { wire } from './wire.ts';

/** After the first screen's code has come: by then the screen has asked for what it shows. */
const LOADS_MORE_AFTER_MS = 1_500;

const element = document.getElementById('root');
assert(element !== null, 'index.html has a #root');
/** Gets every error once the configuration is read. */
let report: ((error: unknown) => Promise<void>) | null = null;
// React itself would only log what a boundary caught.
const root = createRoot(element, { onCaughtError: (error) => reportError(error) });
addEventListener('error', ({ error }) => void report?.(error));
addEventListener('unhandledrejection', ({ reason }) => void report?.(reason));
const show = (screen: ReactNode) => root.render(<StrictMode>{screen}</StrictMode>);

let update: AppUpdate | null = null;

/** `answer` is that of /config.json. */
export async function start(answer: Promise<Response>): Promise<void> {
  const config = await loadConfig(answer, location.origin);
  if (!config.ok)
    return show(<ConfigScreen problem={config.error} onRetry={() => void start(fetch('/config.json'))} />);
  const recentCalls = new RecentCalls();
  const router = createBrowserRouter(routes);
  const { onError } = config.value;
  let loading: Promise<Diagnostics | null> | null = null;
  const loadDiagnostics = () =>
    (loading ??= import('./diagnostics/diagnostics.ts').then(
      ({ diagnostics }) => diagnostics(onError),
      () => (loading = null),
    ));
  const momentOf = () => ({
    screen: router.state.matches.flatMap(({ route }) => route.path ?? []).join('/'),
    // Its file's name has a hash of the whole build.
    build: import.meta.url,
    calls: recentCalls.get(),
    at: Date.now(),
  });
  const describe = async (error: unknown) => {
    const now = momentOf();
    return (await loadDiagnostics())?.describe(error, now) ?? appErrorCode(error);
  };
  report = async (error) => {
    const now = momentOf();
    (await loadDiagnostics())?.report(error, now);
  };
  const app = wire(config.value, recentCalls, () => void (update === null ? location.reload() : update.reload()));
  show(
    <AppContext value={app}>
      <ErrorDetailsContext value={describe}>
        <RouterProvider router={router} />
      </ErrorDetailsContext>
      <LeaveWarning />
    </AppContext>,
  );
  update ??= registerServiceWorker();
  whenLoaded(router, () => setTimeout(loadMore, LOADS_MORE_AFTER_MS));
  // Loaded ahead: when something fails, it may be the network.
  function loadMore() {
    void loadDiagnostics();
    LateUnsentEdits.preload();
  }
}

/** Runs once the code of the first screen is there. */
function whenLoaded(router: DataRouter, run: () => void): void {
  if (router.state.initialized) return run();
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return;
    stop();
    run();
  });
}
