// The list of versions by link: `list_sittings` is for members, so sittings come from the times of the rows.
import type { LinkVersion, Sitting, Version } from '../../../protocol/history-answers.ts';
import type { DocumentId } from '../../../protocol/ids.ts';
import type { Deed } from '../../../ports/history.ts';
import { sittingOf } from '../timeline/sitting-bounds.ts';

type Row = (seq: number) => Pick<Deed, 'at'> | null;

/** Newest first. */
export function linkSittings(row: Row, starts: readonly number[], head: number): readonly Sitting[] {
  return starts
    .flatMap((start) => {
      const { fromSeq, toSeq } = sittingOf(starts, head, start);
      const to = timeAt(row, toSeq);
      // Only damaged rows have no time.
      if (to === null) return [];
      const from = row(fromSeq)?.at ?? to;
      return [{ fromSeq, toSeq, from, to, edits: toSeq - fromSeq + 1, passedOn: 0, authors: [] }];
    })
    .toReversed();
}

export function linkVersions(row: Row, versions: readonly LinkVersion[], document: DocumentId): readonly Version[] {
  return versions.map(({ id, seq, name, kind }) => {
    const at = timeAt(row, seq);
    return { id, document, seq, name, kind, createdBy: null, createdAt: at ?? 0, at };
  });
}

/** When the page was as in this row: the time of the newest row up to it that has one. */
function timeAt(row: Row, seq: number): number | null {
  for (let at = seq; at > 0; at--) {
    const time = row(at)?.at ?? null;
    if (time !== null) return time;
  }
  return null;
}
