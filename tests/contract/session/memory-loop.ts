// Child process of session-memory.test.ts: one signed-in supabase-js client opens and closes a page a hundred times
// over real HTTP and a real socket. Arguments: address, key, email, password, user, page.
import { getEventListeners } from 'node:events';
import { createClient } from '@supabase/supabase-js';
import { browserClock, browserRandom } from 'weft-sync/browser/clock.ts';
import { parseDocumentId, parseUserId } from 'weft-sync/protocol/ids.ts';
import { openSession } from 'weft-sync/session/session.ts';
import { supabaseLog } from 'weft-sync/supabase/log.ts';
import { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import { memoryPorts } from 'weft-sync/testing/memory-ports.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { alive, heapBytes, resources } from '../../support/process/heap.ts';
import { until } from '../contract-fixture.ts';
import '../../../src/yjs/install.ts';

const [FIRST, LAST] = [20, 100] as const;
/** The client's own timers: the heartbeat of its socket, and those of its connections. */
const OWN_TIMERS = 3;
const [url = '', key = '', email = '', password = '', userText = '', pageText = ''] = process.argv.slice(2);
const [user, page] = [parseUserId(userText), parseDocumentId(pageText)];
if (user === null || page === null) throw new Error('malformed arguments');

const client = createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
const { error } = await client.auth.signInWithPassword({ email, password });
if (error !== null) throw error;

const store = new MemoryStore();
const locks = new MemoryLocks();
const tab = locks.tab();
const environment = new MemoryEnvironment();
const log = supabaseLog(client);
const link = supabaseLink(client);
const docs: WeakRef<object>[] = [];
const sessions: WeakRef<object>[] = [];
let rows = 0;

const seen = [];
for (let round = 1; round <= LAST; round++) {
  await openAndClose(round);
  if (round !== FIRST && round !== LAST) continue;
  await until(() => client.getChannels().length === 0);
  seen.push({ heap: await heapBytes(), listeners: listeners() });
}
// If a channel is left right after joining, realtime-js waits up to 10 s for an answer about its presence.
await until(() => (resources()['Timeout'] ?? 0) <= OWN_TIMERS, 15_000).catch(() => undefined);
const [after20, after100] = seen;
process.stdout.write(
  JSON.stringify({
    rows,
    after20,
    after100,
    resources: resources(),
    docs: alive(docs),
    sessions: alive(sessions),
    channels: client.getChannels().length,
    locks: locks.held,
    listening: environment.listeners,
  }),
);
await client.realtime.disconnect();
process.exit(0);

/** A function of its own, because a local variable of the loop would keep the last session alive. */
async function openAndClose(round: number): Promise<void> {
  if (user === null || page === null) return;
  const base = memoryPorts(new MemoryServer(browserClock), { user, clock: browserClock, random: browserRandom });
  // Every tenth time on a device without a cached copy of the page.
  const onDevice = round % 10 === 0 ? new MemoryStore() : store;
  const ports = { ...base, log, link, store: onDevice, locks: tab, environment };
  const session = openSession(page, { user, ports, schemaVersion: SCHEMA_VERSION });
  await until(() => session.getView().connection === 'live' && session.getView().phase === 'ready', 30_000);
  if (round % 5 !== 0) await until(() => session.getView().peers.length > 0);
  docs.push(new WeakRef(session.doc));
  sessions.push(new WeakRef(session));
  session.subscribe(() => undefined);
  rows = session.doc.getText('t').length;
  await session.close();
}

/** Listeners on the process and on the part of the client that outlives a page. There is no window here. */
function listeners(): number {
  const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return ofProcess + getEventListeners(new AbortController().signal, 'abort').length;
}
