// Two people who restore at the same time: the second one waits for the edit of the first.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beforeRestore } from '../../../src/features/history/restore/before-restore.ts';
import { err, ok } from '../../../src/lib/result.ts';
import { weftError } from 'weft-sync/protocol/errors.ts';
import type { Version } from '../../../src/protocol/history-answers.ts';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { parseVersionId } from '../../../src/protocol/ids.ts';
import type { Contribution } from '../../../src/ports/history.ts';
import { alice, bob, documentId } from '../../support/app/app-fixture.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function restoredBy(createdBy: UserId, seq: number, createdAt: number): Version {
  const id = parseVersionId(randomUUID());
  if (id === null) throw new Error('malformed id');
  return { id, document: documentId(1), seq, name: null, kind: 'restore', createdBy, createdAt, at: createdAt };
}

/** Alice restores the page, which has three rows. */
function begin(others: readonly Version[]) {
  const rows: UserId[] = [alice.id, bob.id, alice.id];
  const state = { shown: 3, isDone: false };
  const row = (seq: number): Contribution | null => {
    const by = rows[seq - 1];
    return by === undefined ? null : { seq, at: seq, by };
  };
  void beforeRestore({
    histories: {
      nameVersion: async ({ seq }) =>
        ok(others.find((one) => one.seq === seq) ?? restoredBy(alice.id, seq, Date.now())),
      versions: async () => ok([...others]),
    },
    history: {
      refresh: async () => undefined,
      getView: () => ({ phase: 'ready', head: rows.length, skipped: [], isNewer: false, beginning: null }),
      row,
    },
    document: documentId(1),
    me: alice.id,
    shownSeq: () => state.shown,
  }).then((problem) => {
    expect(problem).toBe(null);
    state.isDone = true;
  });
  return { rows, state };
}

test('a person who is alone, or first, waits for no one', async () => {
  const { state } = begin([restoredBy(bob.id, 3, Date.now() - 60_000), restoredBy(alice.id, 2, Date.now())]);
  await vi.advanceTimersByTimeAsync(0);
  expect(state.isDone).toBe(true);
});

test.each([
  ['at the same row', 3],
  ['at an earlier row', 2],
])('who began later, %s, waits until the page shows the edit of the first', async (_where, seq) => {
  const { rows, state } = begin([restoredBy(bob.id, seq, Date.now() - 200)]);
  if (seq === 2) rows[1] = alice.id;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.isDone).toBe(false);
  rows.push(bob.id);
  await vi.advanceTimersByTimeAsync(500);
  expect(state.isDone).toBe(false);
  state.shown = 4;
  await vi.advanceTimersByTimeAsync(500);
  expect(state.isDone).toBe(true);
});

test('no one waits for long for someone who gave up', async () => {
  const { state } = begin([restoredBy(bob.id, 3, Date.now() - 200)]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(state.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(state.isDone).toBe(true);
});

test('without the server nothing is restored, and no one is told that an edit waits', async () => {
  const problem = await beforeRestore({
    histories: { nameVersion: async () => err(weftError('WF011')), versions: async () => ok([]) },
    history: {
      refresh: async () => undefined,
      getView: () => ({ phase: 'ready', head: 3, skipped: [], isNewer: false, beginning: null }),
      row: () => null,
    },
    document: documentId(1),
    me: alice.id,
    shownSeq: () => 3,
  });
  expect(problem).toBe('Can’t reach the server. Try again.');
});
