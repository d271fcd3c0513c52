// The ports of one tab on a device of its own, on a real Supabase: supabase-js over HTTP and WebSocket, real time, a device in
// memory.
import type { SupabaseClient } from '@supabase/supabase-js';
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import { supabaseLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { MemoryTabs } from 'weft-sync/testing/memory-tabs.ts';

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
