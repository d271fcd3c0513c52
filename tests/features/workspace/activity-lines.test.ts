import { expect, test } from 'vitest';
import { activityDays } from '../../../src/features/workspace/activity-lines.ts';
import type { ActivityEntry } from '../../../src/protocol/home-answers.ts';
import { alice, bob, documentId } from '../../support/app/app-fixture.ts';

const now = new Date(2026, 5, 14, 12).getTime();
const HOUR_MS = 3_600_000;
const entry = (id: string, hoursAgo: number, more: Partial<ActivityEntry> = {}): ActivityEntry => {
  const at = now - hoursAgo * HOUR_MS;
  const defaults = { document: documentId(1), title: 'Plan', actor: bob.id, kind: 'edited', detail: {} } as const;
  return { id, at, until: at, ...defaults, ...more };
};

test('neighbouring edits of one page are one line with all authors', () => {
  const days = activityDays(
    [
      entry('a', 1),
      entry('b', 2, { actor: alice.id }),
      entry('c', 2.5),
      entry('d', 3, { kind: 'moved' }),
      entry('e', 3.5),
      entry('f', 4, { document: documentId(2) }),
    ],
    now,
  );
  expect(days.map(({ name, lines }) => [name, lines.map(({ id, actors }) => [id, actors])])).toEqual([
    [
      null,
      [
        ['a', [bob.id, alice.id]],
        ['d', [bob.id]],
        ['e', [bob.id]],
        ['f', [bob.id]],
      ],
    ],
  ]);
});

test('a page that its author goes on writing is one line, until others write or time has passed', () => {
  const kinds = (...entries: ActivityEntry[]) =>
    activityDays(entries, now).flatMap(({ lines }) => lines.map(({ kind }) => kind));
  const created = entry('a', 2, { kind: 'created' });
  expect(kinds(entry('b', 1.9), created)).toEqual(['created']);
  expect(kinds(entry('b', 1), created)).toEqual(['edited', 'created']);
  expect(kinds(entry('b', 1.9, { actor: alice.id }), created)).toEqual(['edited', 'created']);
});

test('days have names, and edits of two days stay apart', () => {
  const days = activityDays([entry('a', 1), entry('b', 14), entry('c', 24 * 30, { actor: null })], now);
  expect(days.map(({ name, lines }) => [name, lines.length])).toEqual([
    [null, 1],
    ['Yesterday', 1],
    ['15 May', 1],
  ]);
  expect(days.at(-1)?.lines[0]?.actors).toEqual([]);
});
