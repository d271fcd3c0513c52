// The snapshot policy without a session: cases that a real page reaches only with years of typing, or at one moment.
import { expect, test } from 'vitest';
import type { Log, MadeSnapshot, StoredDocument, StoredSnapshot } from 'weft-sync/ports.ts';
import { parseSessionId } from 'weft-sync/protocol/ids.ts';
import type { Row } from 'weft-sync/protocol/row.ts';
import type { SessionEvent } from 'weft-sync/session-event.ts';
import { IDLE_MS, LEASE_MS, SnapshotScheduler, TRY_AGAIN_MS } from 'weft-sync/snapshot/snapshot-scheduler.ts';
import { DocumentState } from 'weft-sync/state/document-state.ts';
import { LogState } from 'weft-sync/state/log-state.ts';
import { MemoryStore } from 'weft-sync/testing/memory-store.ts';
import { SimClock } from 'weft-sync/testing/sim-clock.ts';
import { ok } from '../../../src/lib/result.ts';
import { partContext } from '../part-context.ts';
import { SyncHarness } from '../sync-harness.ts';

const session = parseSessionId('50000000-0000-4000-8000-000000000001');

function rowsOf(from: number, to: number, bytes: number): Row[] {
  if (session === null) throw new Error('no session');
  const base = { session, clientId: 5_000, dependencies: [] };
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const seq = from + at;
    return { ...base, seq, nFrom: seq, nTo: seq, update: new Uint8Array(bytes) };
  });
}

/** A device with this in its store, on a server that grants every claim. */
function setup(snapshot: StoredSnapshot | null, rows: readonly Row[]) {
  const clock = new SimClock();
  const received: string[] = [];
  const stored: StoredDocument = {
    meta: { seq: 0, schemaVersion: 1, title: '', role: 'editor' },
    snapshot,
    rows,
    outboxes: [],
  };
  const simulated = {
    taken: rows.reduce((sum, { update }) => sum + update.length, 0),
    draw: 0.5,
    isTrue: true,
    granted: true,
    isTooLarge: false,
    serverSeq: 0,
    saving: () => {},
  };
  const shared: { made: MadeSnapshot | null } = {
    made: { seq: rows.at(-1)?.seq ?? 0, state: new Uint8Array(10), sha256: '' },
  };
  const harness = new SyncHarness();
  const log: Log = {
    ...harness.server.log(harness.userId('alice')),
    rowsSince: (_document, seq) => {
      received.push(`asked from ${seq}`);
      const page = rowsOf(seq + 1, seq + 500, 10);
      return Promise.resolve(ok({ rows: page, head: 1e6, more: true, epoch: '1.1', role: 'editor', schemaVersion: 1 }));
    },
    claimSnapshot: () => {
      received.push('claimed');
      const { granted, serverSeq } = simulated;
      return Promise.resolve(ok({ granted, until: 0, head: 1e6, snapshotSeq: serverSeq }));
    },
    saveSnapshot: (_document, { seq }) => {
      received.push(`saved ${seq}`);
      simulated.saving();
      return Promise.resolve(ok(seq));
    },
  };
  const maker = {
    unpack: () => Promise.resolve(null),
    make: (from: StoredSnapshot | null, those: readonly Row[]) => {
      received.push(`made from ${from?.seq ?? 'the first row'} with ${those.length}`);
      if (simulated.isTooLarge) return Promise.reject(new RangeError('too large'));
      return Promise.resolve(shared.made);
    },
    isTrue: () => Promise.resolve(simulated.isTrue),
  };
  const random = { next: () => simulated.draw, session: () => rowsOf(1, 1, 1)[0]?.session ?? never() };
  class FakeStore extends MemoryStore {
    override load() {
      received.push('loaded');
      return Promise.resolve(stored);
    }
  }
  const emit = (event: SessionEvent) => {
    if (event.type === 'snapshotFoundWrong') received.push(`wrong ${event.seq}`);
    else if (event.type === 'snapshotCorrected') received.push('put right');
  };
  const context = partContext({ clock, random, log, snapshots: maker, store: new FakeStore() }, emit, { harness });
  const { sessionId, awareness, state, store, ports, unpack } = context;
  class FakeLog extends LogState {
    override get takenBytes() {
      return simulated.taken;
    }
    override get seq() {
      return 1e6;
    }
    override get isUpToDate() {
      return true;
    }
    override save(_rows: readonly Row[], saved?: StoredSnapshot) {
      if (saved !== undefined) received.push(`stored ${saved.seq}`);
    }
  }
  class FakeState extends DocumentState {
    override readonly log = new FakeLog(state.log.replica, store);
  }
  const fakeState = new FakeState(sessionId, awareness, store, { ...ports, unpack }, emit);
  const snapshots = new SnapshotScheduler({ ...context, state: fakeState });
  return { clock, received, simulated, shared, snapshots };
}

const never = (): never => {
  throw new Error('no session');
};

/** Opens the page, and returns everything that follows. */
async function afterOpening(at: ReturnType<typeof setup>): Promise<readonly string[]> {
  at.snapshots.opened(null);
  await at.clock.run(LEASE_MS / 2);
  return at.received;
}

const PAGE_BYTES = 200_000;
const snapshotAt = (seq: number, bytes: number): StoredSnapshot => ({ seq, state: new Uint8Array(bytes) });

test('[SN2] a tail longer than 100 kB is not long beside a large snapshot', async () => {
  const beside = setup(snapshotAt(10, PAGE_BYTES * 3), rowsOf(11, 20, 20_000));
  expect(await afterOpening(beside)).toEqual(['loaded']);
  const beyond = setup(snapshotAt(10, PAGE_BYTES), rowsOf(11, 20, 20_000));
  expect(await afterOpening(beyond)).toEqual(['loaded', 'claimed', 'made from 10 with 10', 'saved 20', 'stored 20']);
});

test('[SN2] rows inside the snapshot are not counted again, until the document is rebuilt and counts anew', async () => {
  const at = setup(null, rowsOf(1, 20, 20_000));
  await afterOpening(at);
  at.received.length = 0;
  at.simulated.taken += 90_000;
  at.snapshots.check();
  await at.clock.run(LEASE_MS);
  expect(at.received).toEqual([]);
  at.simulated.taken = 110_000;
  at.snapshots.check();
  await at.clock.run(LEASE_MS);
  expect(at.received[0]).toBe('loaded');
});

test('[SN3] a client that finds the lease taken asks no sooner than it is over, whatever happens meanwhile', async () => {
  const at = setup(null, rowsOf(1, 20, 20_000));
  at.simulated.granted = false;
  at.snapshots.opened(null);
  await at.clock.run(10_000);
  expect(at.received.filter((word) => word === 'claimed')).toHaveLength(1);
  for (let second = 0; second < 20; second++) {
    at.snapshots.check();
    await at.clock.run(1_000);
  }
  expect(at.received.filter((word) => word === 'claimed')).toHaveLength(1);
  await at.clock.run(LEASE_MS);
  expect(at.received.filter((word) => word === 'claimed')).toHaveLength(2);
});

test('[SN3] a snapshot above 20 MiB is stored here and not saved on the server', async () => {
  const at = setup(null, rowsOf(1, 20, 20_000));
  at.shared.made = { seq: 20, state: new Uint8Array(20 * 1024 * 1024 + 1), sha256: '' };
  expect((await afterOpening(at)).slice(2)).toEqual(['made from the first row with 20', 'stored 20']);
});

test('[SN4] closed while it is being saved: nothing is stored any more', async () => {
  const at = setup(null, rowsOf(1, 20, 20_000));
  at.simulated.saving = () => at.snapshots.stop();
  expect((await afterOpening(at)).at(-1)).toBe('saved 20');
  expect(at.clock.pending).toBe(0);
});

test('[SN5] [SN8] a stored snapshot that cannot be read: the next try asks the log', async () => {
  const at = setup(snapshotAt(10, 10), rowsOf(11, 20, 20_000));
  at.shared.made = null;
  expect(await afterOpening(at)).toEqual(['loaded', 'claimed', 'made from 10 with 10']);
  at.received.length = 0;
  at.snapshots.check();
  await at.clock.run(TRY_AGAIN_MS / 2);
  expect(at.received).toEqual([]);
  await at.clock.run(2 * TRY_AGAIN_MS);
  at.snapshots.check();
  await at.clock.run(2 * IDLE_MS + LEASE_MS / 3);
  expect(at.received.slice(0, 3)).toEqual(['loaded', 'claimed', 'asked from 0']);
});

test('[SN5] a state that is too large for a snapshot: the next try does not ask the log', async () => {
  const at = setup(snapshotAt(10, 10), rowsOf(11, 20, 20_000));
  at.simulated.isTooLarge = true;
  const tried = ['loaded', 'claimed', 'made from 10 with 10'];
  expect(await afterOpening(at)).toEqual(tried);
  await at.clock.run(2 * TRY_AGAIN_MS);
  at.snapshots.check();
  await at.clock.run(2 * IDLE_MS + LEASE_MS / 3);
  expect(at.received).toEqual([...tried, ...tried]);
});

test('[SN7] pages of more than 5,000 rows are not verified', async () => {
  const large = setup(snapshotAt(5_001, 10), []);
  large.simulated.draw = 0;
  expect(await afterOpening(large)).toEqual(['loaded']);
  const small = setup(snapshotAt(5_000, 10), []);
  small.simulated.draw = 0;
  expect((await afterOpening(small)).filter((word) => word.startsWith('asked'))).toHaveLength(10);
  const wrong = setup(snapshotAt(500, 10), []);
  Object.assign(wrong.simulated, { draw: 0, isTrue: false });
  expect(await afterOpening(wrong)).toContain('wrong 500');
});
