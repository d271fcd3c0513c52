// The pages of a workspace as this device knows them, and how an answer of the server changes them.
import type { DocumentChanges, DocumentSummary, Workspace } from '../../protocol/answers.ts';

export type DocumentList = {
  readonly workspace: Workspace;
  readonly documents: readonly DocumentSummary[];
  /** The moment of the server that this list has all changes of. Null if it is unknown. */
  readonly stamp: string | null;
};

/** `list` is the list whose stamp was sent, with the writes of this tab since then. */
export function withChanges(list: DocumentList | null, changes: DocumentChanges): DocumentList {
  const { workspace, stamp, documents } = changes;
  if (changes.isComplete || list === null) return { workspace, stamp, documents };
  if (documents.length === 0 && changes.removed.length === 0) return { ...list, workspace, stamp };
  const replaced = new Set([...documents.map(({ id }) => id), ...changes.removed]);
  return { workspace, stamp, documents: [...list.documents.filter(({ id }) => !replaced.has(id)), ...documents] };
}
