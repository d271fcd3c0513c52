// The ports of one tab on a device of its own, on a real Supabase: supabase-js over HTTP and WebSocket, real time, a device in
// memory.
import type { SupabaseClient } from '@supabase/supabase-js';
import { browserClock, browserRandom } from '../../src/platform/browser/clock.ts';
import { supabaseLink } from '../../src/platform/supabase/realtime/link.ts';
import { supabaseLog } from '../../src/platform/supabase/log.ts';
import { MemoryEnvironment } from './memory-environment.ts';
import { MemoryLocks } from './memory-locks.ts';
import { MemoryStore } from './memory-store.ts';
import { MemoryTabs } from './memory-tabs.ts';

export const supabasePorts = (client: SupabaseClient) => ({
  clock: browserClock,
  random: browserRandom,
  log: supabaseLog(client),
  link: supabaseLink(client),
  store: new MemoryStore(),
  locks: new MemoryLocks().tab(),
  tabs: new MemoryTabs(browserClock).tab(),
  environment: new MemoryEnvironment(),
});
