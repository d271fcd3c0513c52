// Editing sessions, places on the timeline, and playing.
import { describe, expect, test } from 'vitest';
import { dayHeading, momentOf, spanOf, wordsText } from '../../../src/features/history/moments.ts';
import {
  editingSessionOf,
  editingSessionStarts,
  editingSessionStep,
  personStep,
} from '../../../src/features/history/timeline/editing-session-bounds.ts';
import { PlayClock } from '../../../src/features/history/timeline/play-clock.ts';
import { dayLabels, placeOf, rowAt, versionFlags } from '../../../src/features/history/timeline/timeline-layout.ts';
import { linkEditingSessions } from '../../../src/features/history/versions/link-entries.ts';
import type { TimelineColumn } from '../../../src/ports/history.ts';
import { type VersionId, parseVersionId } from '../../../src/protocol/ids.ts';
import { alice, bob } from '../../support/app/app-fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const noon = new Date(2026, 5, 5, 12).getTime();

/** Rows at these minutes. */
const rowsAt =
  (...minutes: readonly number[]) =>
  (seq: number) => {
    const minute = minutes[seq - 1];
    return minute === undefined ? null : { at: noon + minute * MINUTE, by: seq % 2 === 1 ? alice.id : bob.id };
  };

function versionId(n: number): VersionId {
  const id = parseVersionId(`00000000-0000-4000-8000-00000000000${n}`);
  if (id === null) throw new Error('malformed id');
  return id;
}

describe('editing sessions', () => {
  const row = rowsAt(0, 10, 41, 45, 200);

  test('begin after more than 30 minutes without a row', () => {
    expect(editingSessionStarts(row, 5)).toEqual([1, 3, 5]);
    expect(editingSessionStarts(rowsAt(0, 30), 2)).toEqual([1]);
    expect(editingSessionStarts(row, 0)).toEqual([]);
  });

  test('may go on in a compacted row that began within 30 minutes', () => {
    const compacted = (seq: number) =>
      seq === 1 ? { at: noon } : { at: noon + 50 * MINUTE, from: noon + 10 * MINUTE };
    expect(editingSessionStarts(compacted, 4)).toEqual([1]);
    expect(linkEditingSessions((seq) => compacted(seq + 1), [1], 3)).toEqual([
      expect.objectContaining({ from: noon + 10 * MINUTE, to: noon + 50 * MINUTE }),
    ]);
  });

  test('contain their rows, and steps go from end to end', () => {
    const starts = editingSessionStarts(row, 5);
    expect(editingSessionOf(starts, 5, 4)).toEqual({ fromSeq: 3, toSeq: 4 });
    expect(editingSessionOf(starts, 5, 5)).toEqual({ fromSeq: 5, toSeq: 5 });
    expect(editingSessionStep(starts, 5, 3, 1)).toBe(4);
    expect(editingSessionStep(starts, 5, 4, 1)).toBe(5);
    expect(editingSessionStep(starts, 5, 5, 1)).toBe(5);
    expect(editingSessionStep(starts, 5, 4, -1)).toBe(2);
    expect(editingSessionStep(starts, 5, 1, -1)).toBe(1);
  });

  test('steps by person go to the end of a run of theirs', () => {
    const by = (seq: number) => ({ by: [alice, alice, bob, bob, alice][seq - 1]?.id ?? null });
    expect(personStep(by, 5, 2, 1)).toBe(4);
    expect(personStep(by, 5, 4, 1)).toBe(5);
    expect(personStep(by, 5, 4, -1)).toBe(2);
    expect(personStep(by, 5, 1, -1)).toBe(1);
  });
});

describe('the timeline', () => {
  const column = (start: number, end: number, fromSeq: number, toSeq: number, from: number): TimelineColumn => ({
    start,
    end,
    fromSeq,
    toSeq,
    from,
    height: 1,
    by: alice.id,
  });
  const columns = [
    column(0, 0.2, 1, 4, noon - 48 * HOUR),
    column(0.5, 0.6, 5, 5, noon - 24 * HOUR),
    column(0.62, 1, 6, 10, noon),
  ];

  test('puts each row somewhere, and finds it there again', () => {
    for (let seq = 1; seq <= 10; seq++) expect(rowAt(columns, placeOf(columns, seq))).toBe(seq);
    expect(rowAt(columns, 0)).toBe(1);
    expect(rowAt(columns, 0.4)).toBe(4);
    expect(rowAt(columns, 1)).toBe(10);
    expect(placeOf([], 3)).toBe(0);
    expect(rowAt([], 0.5)).toBe(1);
  });

  test('names a day where it begins, as long as there is room', () => {
    expect(dayLabels(columns, noon, 0.1).map(({ text }) => text)).toEqual(['Wednesday', 'Yesterday', 'Today']);
    expect(dayLabels(columns, noon, 0.2).map(({ text }) => text)).toEqual(['Wednesday', 'Yesterday']);
  });

  test('flags named versions, as long as there is room', () => {
    const version = (n: number, seq: number, name: string | null) => ({
      id: versionId(n),
      seq,
      name,
    });
    const flags = versionFlags(columns, [version(1, 10, 'Last'), version(2, 9, 'Near'), version(3, 4, null)], 0.1);
    expect(flags.map(({ name }) => name)).toEqual(['Near']);
  });
});

describe('playing', () => {
  test('takes the time in which the page was written, without pauses', () => {
    const times = [0, 1_000, 2_000, 500_000, 501_000];
    const clock = new PlayClock(1, 5, (seq) => times[seq - 1] ?? null);
    expect(clock.after(999)).toBe(1);
    expect(clock.after(1)).toBe(2);
    expect(clock.after(1_500)).toBe(3);
    // A pause of eight minutes takes three seconds.
    expect(clock.after(2_400)).toBe(3);
    expect(clock.after(100)).toBe(4);
    expect(clock.isOver).toBe(false);
    expect(clock.after(60_000)).toBe(5);
    expect(clock.isOver).toBe(true);
  });

  test('rows without a time follow at once', () => {
    expect(new PlayClock(1, 3, () => null).after(0)).toBe(3);
  });
});

test('moments are said as people say them', () => {
  expect(momentOf(noon, noon + HOUR)).toBe('Today, 12:00');
  expect(momentOf(noon, noon + 13 * HOUR)).toBe('Yesterday, 12:00');
  expect(dayHeading(noon, noon + 13 * HOUR)).toBe('Yesterday, 5 June');
  expect(dayHeading(noon, noon + 100 * 24 * HOUR)).toBe('5 June');
  expect(dayHeading(noon, noon + 400 * 24 * HOUR)).toBe('5 June 2026');
  expect(spanOf(noon, noon + 20_000)).toBe('12:00');
  expect(spanOf(noon, noon + HOUR)).toBe('12:00 to 13:00');
  expect([wordsText(1204, 3), wordsText(0, 1), wordsText(0, 0)]).toEqual(['+1,204 −3 words', '−1 word', null]);
});
