// The entry point of the app.
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { assert } from '../lib/assert.ts';
import { AppContext } from '../state/hooks.ts';
import { LeaveWarning } from './shell/leave-warning.tsx';
import { routes } from './routes.tsx';
import { loadConfig } from './config/run-time-config.ts';
import { ConfigScreen } from './screens/errors/config-screen.tsx';
import { type AppUpdate, registerServiceWorker } from './service-worker.ts';
import { wire } from './wire.ts';
import '../ui/theme/fonts.css';
import '../ui/theme/tokens.css';
import '../ui/theme/base.css';
import '../ui/controls/controls.css';
import '../ui/mark/receipt-mark.css';
import '../ui/people/people.css';
import '../ui/floating/floating.css';
import '../ui/feedback/feedback.css';
import './shell/shell.css';
import '../ui/theme/print.css';

const element = document.getElementById('root');
assert(element !== null, 'index.html has a #root');
const root = createRoot(element);
const show = (screen: ReactNode) => root.render(<StrictMode>{screen}</StrictMode>);

let update: AppUpdate | null = null;

async function start(): Promise<void> {
  const config = await loadConfig(() => fetch('/config.json'), location.origin);
  if (!config.ok) return show(<ConfigScreen problem={config.error} onRetry={() => void start()} />);
  const app = wire(config.value, () => void (update === null ? location.reload() : update.reload()));
  show(
    <AppContext value={app}>
      <RouterProvider router={createBrowserRouter(routes)} />
      <LeaveWarning />
    </AppContext>,
  );
  update ??= registerServiceWorker();
}

void start();
