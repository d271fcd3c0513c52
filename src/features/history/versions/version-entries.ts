// The list of versions: editing sessions, versions with a name or that were made before something happened, and the beginning
// where something was erased for good, newest first.
import type { UserId } from 'weft-sync/protocol/ids.ts';
import type { Beginning, EditingSession, Version, VersionKind } from '../../../protocol/history-answers.ts';
import { dayHeading } from '../moments.ts';

export type VersionEntry =
  | {
      readonly type: 'editingSession';
      readonly id: string;
      readonly seq: number;
      readonly at: number;
      readonly editingSession: EditingSession;
    }
  | {
      readonly type: 'version';
      readonly id: string;
      readonly seq: number;
      readonly at: number;
      readonly version: Version;
    }
  | {
      readonly type: 'beginning';
      readonly id: string;
      readonly seq: number;
      readonly at: number;
      readonly beginning: Beginning;
    };

export type VersionFilter = { readonly person: UserId | null; readonly onlyNamed: boolean };
export const EVERYTHING: VersionFilter = { person: null, onlyNamed: false };

export const AUTOMATIC_NAMES: Readonly<Record<VersionKind, string>> = {
  named: 'Version',
  restore: 'Before a restore',
  import: 'Before an import',
  suggestion: 'Before a suggestion was accepted',
  putBack: 'Before lost edits were put back',
};

export const ERASED = 'Words erased from history';

export const versionName = ({ name, kind }: Pick<Version, 'name' | 'kind'>): string => name ?? AUTOMATIC_NAMES[kind];

type Listed = {
  readonly editingSessions: readonly EditingSession[];
  readonly versions: readonly Version[];
  readonly beginning: Beginning | null;
  /** The oldest editing session is among them. Versions that are older than the editing sessions wait for their turn. */
  readonly isWhole: boolean;
};

export function versionEntries(
  { editingSessions, versions, beginning, isWhole }: Listed,
  { person, onlyNamed }: VersionFilter,
): readonly VersionEntry[] {
  const oldest = isWhole || onlyNamed ? 0 : (editingSessions.at(-1)?.fromSeq ?? Infinity);
  const shown = versions.filter(({ seq, createdBy }) => seq >= oldest && (person === null || createdBy === person));
  const isBeginningShown = beginning !== null && !onlyNamed && (person === null || beginning.by === person);
  return [
    ...(isBeginningShown && beginning.seq >= oldest ? [beginningEntry(beginning)] : []),
    ...(onlyNamed
      ? []
      : editingSessionsAfter(beginning, editingSessions).map((editingSession): VersionEntry => ({
          type: 'editingSession',
          id: `editing-session-${editingSession.fromSeq}`,
          seq: editingSession.toSeq,
          at: editingSession.to,
          editingSession,
        }))),
    ...shown.map((version): VersionEntry => ({
      type: 'version',
      id: version.id,
      seq: version.seq,
      at: version.at ?? version.createdAt,
      version,
    })),
  ].sort((one, other) => other.seq - one.seq || ORDER[one.type] - ORDER[other.type]);
}

/** No one wrote the row with which the history began again. */
function editingSessionsAfter(
  beginning: Beginning | null,
  editingSessions: readonly EditingSession[],
): readonly EditingSession[] {
  const first = (beginning?.seq ?? 0) + 1;
  return editingSessions
    .filter(({ toSeq }) => toSeq >= first)
    .map((one) => (one.fromSeq < first ? { ...one, fromSeq: first } : one));
}

const beginningEntry = (beginning: Beginning): VersionEntry => ({
  type: 'beginning',
  id: 'beginning',
  seq: beginning.seq,
  at: beginning.at,
  beginning,
});

/** The order for one row, the newest first: a version comes after the writing of its editing session. */
const ORDER = { version: 0, editingSession: 1, beginning: 2 } as const;

/** The heading above each entry that begins a day; null for the others. */
export function dayHeadings(entries: readonly VersionEntry[], now: number): readonly (string | null)[] {
  let last: string | null = null;
  return entries.map(({ at }) => {
    const day = dayHeading(at, now);
    const isNew = day !== last;
    last = day;
    return isNew ? day : null;
  });
}
