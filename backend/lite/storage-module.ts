// Gap: @supabase/lite 0.10.0 leaves Storage out unless an experiment is switched on, exports no adapter that keeps files,
// and creates its tables only when an adapter is there before the system schema is made.
import { type App, setExperimental } from '@supabase/lite';
import { FileStorage } from './file-storage.ts';

/** Call between `new App` and `app.init()`: the switch has to be on by then, and `new App` would warn about it. */
export function addStorage(app: App, dir: string): void {
  setExperimental('storage', true);
  Object.assign(app, { _storageAdapter: new FileStorage(dir) });
}
