// The memory server has the rules of claim_snapshot and save_snapshot. tests/sql/log/snapshots.test.ts tests the same rules in the
// database.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { MadeSnapshot } from 'weft-sync/ports.ts';
import { MemorySnapshots } from 'weft-sync/testing/memory-snapshots.ts';
import { userId } from '../sync-harness.ts';

const [alice, bob] = [userId(1), userId(2)];
const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1, 10);
const HEAD = 100;

function snapshot(seq: number, change: Partial<MadeSnapshot> = {}): MadeSnapshot {
  const state = change.state ?? Uint8Array.of(seq);
  return { seq, state, sha256: createHash('sha256').update(state).digest('hex'), ...change };
}

/** Claims and saves. Returns the seq of the newest snapshot, or the error code. */
function save(snapshots: MemorySnapshots, one: MadeSnapshot, now = START): string | number {
  snapshots.claim(alice, now);
  const saved = snapshots.save(one, alice, now, HEAD);
  return saved.ok ? saved.value : saved.error.code;
}

test('one person holds the claim for 30 seconds and may renew it; when it expires, another person may claim', () => {
  const snapshots = new MemorySnapshots();
  expect(snapshots.claim(alice, START)).toEqual({ granted: true, until: START + 30_000, snapshotSeq: 0 });
  expect(snapshots.claim(bob, START + 1_000)).toEqual({ granted: false, until: START + 30_000, snapshotSeq: 0 });
  expect(snapshots.claim(alice, START + 10_000)).toMatchObject({ granted: true, until: START + 40_000 });
  expect(snapshots.claim(bob, START + 39_999).granted).toBe(false);
  expect(snapshots.claim(bob, START + 40_000).granted).toBe(true);
});

test('saving ends the claim; without a claim, or after it has expired, nothing is saved', () => {
  const snapshots = new MemorySnapshots();
  expect(snapshots.save(snapshot(1), alice, START, HEAD)).toMatchObject({ ok: false, error: { code: 'WF005' } });
  snapshots.claim(alice, START);
  expect(snapshots.save(snapshot(1), bob, START, HEAD).ok).toBe(false);
  expect(snapshots.save(snapshot(1), alice, START + 30_000, HEAD).ok).toBe(false);
  expect(snapshots.save(snapshot(1), alice, START + 29_999, HEAD)).toEqual({ ok: true, value: 1 });
  expect(snapshots.claim(bob, START + 29_999)).toMatchObject({ granted: true, snapshotSeq: 1 });
});

test('a snapshot that is empty, too large, beyond the log, or does not match its sha256 is rejected', () => {
  const snapshots = new MemorySnapshots();
  const large = new Uint8Array(20 * 1024 * 1024 + 1);
  for (const one of [
    snapshot(1, { state: new Uint8Array(0) }),
    snapshot(1, { state: large }),
    snapshot(0),
    snapshot(HEAD + 1),
    snapshot(1, { sha256: 'f'.repeat(64) }),
  ])
    expect(save(snapshots, one)).toBe('WF005');
  expect(snapshots.seqs).toEqual([]);
});

test('an older snapshot changes nothing', () => {
  const snapshots = new MemorySnapshots();
  expect([save(snapshots, snapshot(5)), save(snapshots, snapshot(4)), save(snapshots, snapshot(5))]).toEqual([5, 5, 5]);
  expect(snapshots.seqs).toEqual([5]);
  expect(snapshots.newest).toEqual(snapshot(5));
});

test('the last three snapshots and the last one of each day are kept', () => {
  const snapshots = new MemorySnapshots();
  save(snapshots, snapshot(1), START);
  save(snapshots, snapshot(2), START + 1_000);
  save(snapshots, snapshot(3), START + DAY_MS);
  for (const seq of [4, 5, 6, 7]) save(snapshots, snapshot(seq), START + 2 * DAY_MS);
  expect(snapshots.seqs).toEqual([2, 3, 5, 6, 7]);
});
