// The editing sessions and versions of a page's history for people who watch by a link. They may not call `list_sittings`, so
// the sessions come from the times of the rows, as in the database.
import type { DocumentId } from 'weft-sync/protocol/ids.ts';
import type { Contribution } from '../../../ports/history.ts';
import type { EditingSession, LinkVersion, Version } from '../../../protocol/history-answers.ts';
import { editingSessionOf } from '../timeline/editing-session-bounds.ts';

type RowAt = (seq: number) => Pick<Contribution, 'at' | 'from'> | null;

/** Newest first. */
export function linkEditingSessions(row: RowAt, starts: readonly number[], head: number): readonly EditingSession[] {
  return starts
    .flatMap((start) => {
      const { fromSeq, toSeq } = editingSessionOf(starts, head, start);
      const to = timeAt(row, toSeq);
      // Only damaged rows have no time.
      if (to === null) return [];
      const { at = null, from = at ?? to } = row(fromSeq) ?? {};
      return [{ fromSeq, toSeq, from, to, edits: toSeq - fromSeq + 1, passedOn: 0, authors: [] }];
    })
    .toReversed();
}

export function linkVersions(row: RowAt, versions: readonly LinkVersion[], document: DocumentId): readonly Version[] {
  return versions.map(({ id, seq, name, kind }) => {
    const at = timeAt(row, seq);
    return { id, document, seq, name, kind, createdBy: null, createdAt: at ?? 0, at };
  });
}

/** When the page was as in this row: the time of the newest row up to it that has one. */
function timeAt(row: RowAt, seq: number): number | null {
  for (let at = seq; at > 0; at--) {
    const time = row(at)?.at ?? null;
    if (time !== null) return time;
  }
  return null;
}
