// Child process of memory.test.ts: opens and closes one document of 2,000 rows a hundred times.
import { openSession } from 'weft-sync/session/session.ts';
import { MemoryEnvironment } from 'weft-sync/testing/memory-environment.ts';
import { MemoryLocks } from 'weft-sync/testing/memory-locks.ts';
import { memoryPorts } from 'weft-sync/testing/memory-ports.ts';
import { MemoryServer } from 'weft-sync/testing/memory-server.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { seededRandom } from 'weft-sync/testing/seeded-random.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import * as Y from 'yjs';
import { SCHEMA_VERSION } from '../../../src/protocol/limits.ts';
import { alive, heapBytes } from '../../support/process/heap.ts';
import { DOCUMENT, userId } from '../sync-harness.ts';
import '../../../src/yjs/install.ts';

const ROWS = 2_000;
const [FIRST, LAST] = [20, 100] as const;

const clock = new SimClock();
const server = new MemoryServer(clock, SCHEMA_VERSION);
server.createDocument(DOCUMENT);
server.setRole(DOCUMENT, userId(1), 'editor');
const store = new MemoryStore();
const locks = new MemoryLocks();
const environment = new MemoryEnvironment();
const tab = locks.tab();
const docs: WeakRef<object>[] = [];
const sessions: WeakRef<object>[] = [];

await fill();
const heaps: number[] = [];
for (let round = 1; round <= LAST; round++) {
  await openAndClose(round);
  if (round === FIRST || round === LAST) heaps.push(await heapBytes());
}
const [after20 = 0, after100 = 0] = heaps;
process.stdout.write(
  JSON.stringify({
    rows: server.rows(DOCUMENT).length,
    after20,
    after100,
    docs: alive(docs),
    sessions: alive(sessions),
    timers: clock.pending,
    channels: server.hub.channels,
    locks: locks.held,
    listeners: environment.listeners,
  }),
);

/** A function of its own, because a local variable of the loop would keep the last session alive. */
async function openAndClose(round: number): Promise<void> {
  const ports = memoryPorts(server, {
    user: userId(1),
    clock,
    random: seededRandom(round),
    // Every other time on a device that holds the page already.
    store: round % 2 === 0 ? store : new MemoryStore(),
    locks: tab,
    environment,
  });
  const session = openSession(DOCUMENT, { user: userId(1), ports, schemaVersion: SCHEMA_VERSION });
  await clock.until(() => session.getView().connection === 'live' && session.getView().phase === 'ready');
  docs.push(new WeakRef(session.doc));
  sessions.push(new WeakRef(session));
  session.subscribe(() => undefined);
  const closing = session.close();
  await clock.run(5_000);
  await closing;
}

async function fill(): Promise<void> {
  const log = server.log(userId(1));
  const session = seededRandom(4711).session();
  const doc = new Y.Doc();
  doc.clientID = 4711;
  await log.startSession({ document: DOCUMENT, session, clientId: doc.clientID, schemaVersion: SCHEMA_VERSION });
  const updates: Uint8Array<ArrayBuffer>[] = [];
  doc.on('update', (update: Uint8Array) => updates.push(new Uint8Array(update)));
  for (let n = 0; n < ROWS; n++) doc.getText('t').insert(n % 7 === 0 ? 0 : doc.getText('t').length, `word ${n} `);
  for (const [at, update] of updates.entries()) {
    await log.append({
      document: DOCUMENT,
      session,
      nFrom: at + 1,
      nTo: at + 1,
      update,
      dependencies: [],
      knownSeq: at,
      schemaVersion: SCHEMA_VERSION,
      livePeers: 0,
    });
  }
}
