// Loads the list of versions: editing sessions page by page as the reader scrolls, and all versions at once.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { WeftError } from 'weft-sync/protocol/errors.ts';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { EditingSession, Version, VersionKind } from '../../../protocol/history-answers.ts';
import { newVersionId } from '../../../protocol/new-ids.ts';
import { usePerson } from '../../../state/hooks.ts';
import type { HistoryTools } from '../history-tools.ts';

/** `list_sittings` returns this many at once. */
const PAGE = 30;

type Loaded = {
  readonly person: UserId | null;
  readonly editingSessions: readonly EditingSession[];
  readonly isWhole: boolean;
};

export type ListedVersions = {
  /** Null while the first ones load. */
  readonly editingSessions: readonly EditingSession[] | null;
  readonly versions: readonly Version[];
  /** The oldest editing session is loaded. */
  readonly isWhole: boolean;
  readonly error: WeftError | null;
  readonly more: () => void;
  readonly retry: () => void;
};

export type Versions = ListedVersions & {
  /** Makes a version of a row. Resolves with the error, or null. */
  readonly name: (seq: number, name: string | null, kind: VersionKind) => Promise<WeftError | null>;
  readonly rename: (version: Version, name: string) => Promise<WeftError | null>;
  readonly remove: (version: Version) => Promise<WeftError | null>;
};

/** `head` is the newest row: the first editing sessions load again when it changes. */
export function useVersions(
  document: DocumentId,
  person: UserId | null,
  head: number,
  watch: HistoryTools['watchVersions'],
): Versions {
  const { histories } = usePerson();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [versions, setVersions] = useState<readonly Version[]>([]);
  const [error, setError] = useState<WeftError | null>(null);
  /** Counts the loads: only the answer to the last one is shown. */
  const loads = useRef(0);
  const load = useCallback(() => {
    loads.current += 1;
    const mine = loads.current;
    void Promise.all([histories.editingSessions(document, null, person), histories.versions(document)]).then(
      ([editingSessions, named]) => {
        if (mine !== loads.current) return;
        setError(editingSessions.ok ? (named.ok ? null : named.error) : editingSessions.error);
        if (editingSessions.ok) setLoaded((before) => withNewest(before, person, editingSessions.value));
        if (named.ok) setVersions(named.value);
      },
    );
    return () => {
      loads.current += 1;
    };
  }, [histories, document, person]);
  useEffect(() => (head === 0 ? undefined : load()), [load, head]);
  useEffect(() => watch?.(() => void load()), [load, watch]);

  const own = loaded?.person === person ? loaded : null;
  const oldest = own?.editingSessions.at(-1)?.fromSeq ?? null;
  const isWhole = own?.isWhole ?? false;
  const [asked, setAsked] = useState<number | null>(null);
  const more = useCallback(() => {
    if (oldest === null || isWhole || asked === oldest) return;
    setAsked(oldest);
    void histories.editingSessions(document, oldest, person).then((answer) => {
      setAsked(null);
      if (!answer.ok) return setError(answer.error);
      return setLoaded((before) =>
        before?.person === person && before.editingSessions.at(-1)?.fromSeq === oldest
          ? {
              person,
              editingSessions: [...before.editingSessions, ...answer.value],
              isWhole: answer.value.length < PAGE,
            }
          : before,
      );
    });
  }, [histories, document, person, oldest, isWhole, asked]);

  const name = async (seq: number, text: string | null, kind: VersionKind) => {
    const answer = await histories.nameVersion({ id: newVersionId(), document, seq, name: text, kind });
    if (!answer.ok) return answer.error;
    setVersions((all) => [answer.value, ...all.filter((one) => one.id !== answer.value.id)]);
    return null;
  };
  const rename = async (version: Version, text: string) => {
    const answer = await histories.renameVersion(version.id, text);
    if (!answer.ok) return answer.error;
    setVersions((all) => all.map((one) => (one.id === version.id ? answer.value : one)));
    return null;
  };
  const remove = async (version: Version) => {
    const answer = await histories.removeVersion(version.id);
    if (!answer.ok) return answer.error;
    setVersions((all) => all.filter((one) => one.id !== version.id));
    return null;
  };
  const retry = () => void load();
  return { editingSessions: own?.editingSessions ?? null, versions, isWhole, error, more, retry, name, rename, remove };
}

/** The newest editing sessions replace those that they overlap; older ones stay. */
function withNewest(before: Loaded | null, person: UserId | null, newest: readonly EditingSession[]): Loaded {
  const last = newest.at(-1);
  if (before?.person !== person || last === undefined || newest.length < PAGE)
    return { person, editingSessions: newest, isWhole: newest.length < PAGE };
  const older = before.editingSessions.filter(({ toSeq }) => toSeq < last.fromSeq);
  return { person, editingSessions: [...newest, ...older], isWhole: before.isWhole };
}
