// The list of versions: sittings, and versions with a name or that were made before something happened, newest first.
import type { Sitting, Version, VersionKind } from '../../../protocol/history-answers.ts';
import type { UserId } from '../../../protocol/ids.ts';
import { dayHeading } from '../moments.ts';

export type Entry =
  | {
      readonly type: 'sitting';
      readonly id: string;
      readonly seq: number;
      readonly at: number;
      readonly sitting: Sitting;
    }
  | {
      readonly type: 'version';
      readonly id: string;
      readonly seq: number;
      readonly at: number;
      readonly version: Version;
    };

export type Filter = { readonly person: UserId | null; readonly onlyNamed: boolean };
export const EVERYTHING: Filter = { person: null, onlyNamed: false };

export const AUTOMATIC_NAMES: Readonly<Record<VersionKind, string>> = {
  named: 'Version',
  restore: 'Before a restore',
  import: 'Before an import',
  suggestion: 'Before a suggestion was accepted',
};

export const versionName = ({ name, kind }: Pick<Version, 'name' | 'kind'>): string => name ?? AUTOMATIC_NAMES[kind];

/** `isWhole`: the oldest sitting is among them. A version that is older than the sittings waits for its turn. */
export function versionEntries(
  sittings: readonly Sitting[],
  versions: readonly Version[],
  isWhole: boolean,
  { person, onlyNamed }: Filter,
): readonly Entry[] {
  const oldest = isWhole || onlyNamed ? 0 : (sittings.at(-1)?.fromSeq ?? Infinity);
  const shown = versions.filter(({ seq, createdBy }) => seq >= oldest && (person === null || createdBy === person));
  return [
    ...(onlyNamed
      ? []
      : sittings.map((sitting): Entry => ({
          type: 'sitting',
          id: `sitting-${sitting.fromSeq}`,
          seq: sitting.toSeq,
          at: sitting.to,
          sitting,
        }))),
    ...shown.map((version): Entry => ({
      type: 'version',
      id: version.id,
      seq: version.seq,
      at: version.at ?? version.createdAt,
      version,
    })),
    // A version stands above the sitting at whose end it is.
  ].sort((one, other) => other.seq - one.seq || Number(one.type === 'sitting') - Number(other.type === 'sitting'));
}

/** The heading above each entry that begins a day; null for the others. */
export function dayHeadings(entries: readonly Entry[], now: number): readonly (string | null)[] {
  let last: string | null = null;
  return entries.map(({ at }) => {
    const day = dayHeading(at, now);
    const isNew = day !== last;
    last = day;
    return isNew ? day : null;
  });
}
