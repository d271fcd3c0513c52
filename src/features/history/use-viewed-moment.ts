// The moment of the page that the reader looks at, the mode, and the version that it is compared with.
import { type RefObject, useMemo, useState } from 'react';
import type { UserId } from 'weft-sync/protocol/ids.ts';
import { capitalized } from '../../lib/text/capitalized.ts';
import { dayOf } from '../../lib/text/times.ts';
import type { PageHistory } from '../../ports/history.ts';
import type { Beginning } from '../../protocol/history-answers.ts';
import type { HistorySource } from './history-source.ts';
import { momentOf, spanOf, wordsText } from './moments.ts';
import type { Mode } from './shown/shown-moment.ts';
import { useShownPage } from './shown/use-shown-page.ts';
import { editingSessionOf } from './timeline/editing-session-bounds.ts';
import type { ReadyView } from './use-page-history.ts';
import { ERASED, type VersionEntry, versionEntries } from './versions/version-entries.ts';
import { type WhoIs, namesOf, shortName } from './who.ts';

/** Null: the page as it is now; it follows new edits. */
type Position = { readonly seq: number; readonly entry: string | null } | null;
/** The version that the page is compared with. Null: the one before. */
type Base = { readonly seq: number; readonly name: string } | null;

type Viewed = {
  readonly source: HistorySource;
  readonly history: PageHistory;
  readonly view: ReadyView;
  /** The moment that is shown first. Null: now. */
  readonly first: number | null;
  readonly room: RefObject<HTMLElement | null>;
  readonly now: number;
};

export function useViewedMoment({ source, history, view, first, room, now }: Viewed) {
  const { rows, whoIs, versions, filter } = source;
  const { head, beginning } = view;
  const [mode, setMode] = useState<Mode>('changes');
  const [position, setPosition] = useState<Position>(() => (first === null ? null : { seq: first, entry: null }));
  const [base, setBase] = useState<Base>(null);

  const { editingSessions, versions: listed, isWhole } = versions;
  const entries = useMemo(
    () => versionEntries({ editingSessions: editingSessions ?? [], versions: listed, beginning, isWhole }, filter),
    [editingSessions, listed, beginning, isWhole, filter],
  );
  // Nothing is before the row with which the history began again.
  const oldest = beginning?.seq ?? 0;
  const seq = Math.max(Math.min(head, position?.seq ?? head), oldest);
  const editingSession = editingSessionOf(rows.starts, head, seq);
  const shownBeginning = seq === oldest ? beginning : null;
  const from = Math.max(base?.seq ?? editingSession.fromSeq - 1, oldest);
  const { shown, state } = useShownPage(history, { mode, seq, from, beginning }, whoIs, now);

  const momentAt = (at: number): string => {
    const time = history.row(at)?.at ?? null;
    return time === null ? `edit ${at}` : momentOf(time, now);
  };
  const timeAt = history.row(seq)?.at ?? null;
  const start = history.row(editingSession.fromSeq);
  const startAt = start?.from ?? start?.at ?? null;
  const isWholeEditingSession = seq === editingSession.toSeq && base === null && mode === 'changes';
  const moment =
    shownBeginning !== null
      ? ERASED
      : isWholeEditingSession && startAt !== null && timeAt !== null
        ? capitalized(`${dayOf(timeAt, now)}, ${spanOf(startAt, timeAt)}`)
        : capitalized(momentAt(seq));
  const words = shown?.words ?? null;
  const wrote = authorsBetween(history, Math.min(from, seq) + 1, Math.max(from, seq)).map(whoIs);
  const details =
    shownBeginning !== null
      ? beginningDetails(shownBeginning, whoIs, now)
      : [
          ...(mode === 'changes' && wrote.length > 0 ? [namesOf(wrote)] : []),
          ...(words === null ? [] : [wordsText(words.inserted, words.removed) ?? 'no words']),
        ];

  return {
    mode,
    setMode,
    position,
    seq,
    entries,
    isBeginning: shownBeginning !== null,
    shown,
    state,
    momentAt,
    moment,
    details,
    comparedWith: mode === 'changes' ? (base?.name ?? null) : null,
    shownEntry:
      position?.entry ??
      entries.find((one) => one.type === 'editingSession' && one.editingSession.fromSeq === editingSession.fromSeq)
        ?.id ??
      null,
    show: setPosition,
    showEntry: (entry: VersionEntry) => {
      setPosition(entry.seq >= head && entry.type === 'editingSession' ? null : { seq: entry.seq, entry: entry.id });
      room.current?.scrollTo({ top: 0 });
    },
    compareWith: (other: Base) => {
      if (other !== null) setMode('changes');
      setBase(other);
    },
  };
}

export type ViewedMoment = ReturnType<typeof useViewedMoment>;

function beginningDetails({ at, by, authors }: Beginning, whoIs: WhoIs, now: number): readonly string[] {
  const when = capitalized(momentOf(at, now));
  return [
    by === null ? when : `${when} by ${shortName(whoIs(by))}`,
    'The page’s history starts here',
    ...(authors.length === 0 ? [] : [`Written until then by ${namesOf(authors.map(whoIs))}`]),
  ];
}

/** A line of names is worth reading this many rows at most. */
const MAX_ROWS = 5_000;

function authorsBetween(history: PageHistory, from: number, to: number): readonly UserId[] {
  const found = new Set<UserId>();
  for (let seq = to; seq >= Math.max(from, to - MAX_ROWS); seq--) {
    const by = history.row(seq)?.by ?? null;
    // The first row of every page is the same and no one's.
    if (by !== null) found.add(by);
  }
  return Array.from(found);
}
