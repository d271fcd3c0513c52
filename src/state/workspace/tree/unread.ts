// Unread marks: pages that someone else changed since this person last visited them, pages with comments that they have not
// read, and the pages above both.
import { type Atom, atom } from 'jotai/vanilla';
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import { type PageIndex, pathTo } from './page-index.ts';

export type Unread = {
  readonly pages: ReadonlySet<DocumentId>;
  /** The pages that have unread ones below them, at any depth. */
  readonly above: ReadonlySet<DocumentId>;
};

/** Both leave out the page on the screen. */
export interface UnreadAtoms {
  /** The pages that others changed since this person visited them. */
  readonly unreadAtom: Atom<Unread>;
  readonly unreadCommentsAtom: Atom<Unread>;
}

type UnreadOptions = {
  readonly me: UserId;
  readonly indexAtom: Atom<PageIndex>;
  readonly currentPageAtom: Atom<DocumentId | null>;
  /** Pages that were read here, and whose visit the lists do not have yet. */
  readonly waitingVisitsAtom: Atom<{ readonly has: (page: DocumentId) => boolean }>;
};

export const unreadAtoms = ({ me, indexAtom, currentPageAtom, waitingVisitsAtom }: UnreadOptions): UnreadAtoms => ({
  unreadAtom: atom((get) => {
    const [current, waiting] = [get(currentPageAtom), get(waitingVisitsAtom)];
    return unreadOf(get(indexAtom), (page) => isChanged(page, me) && page.id !== current && !waiting.has(page.id));
  }),
  unreadCommentsAtom: atom((get) => {
    const current = get(currentPageAtom);
    return unreadOf(get(indexAtom), ({ id, unreadThreads }) => unreadThreads > 0 && id !== current);
  }),
});

/** A page that this person never visited has no mark: in a workspace that is new to them every page would have one. */
export const isChanged = ({ visitedAt, updatedAt, updatedBy }: DocumentSummary, me: UserId): boolean =>
  visitedAt !== null && updatedAt > visitedAt && updatedBy !== me;

export function unreadOf(index: PageIndex, isUnread: (page: DocumentSummary) => boolean): Unread {
  const pages = new Set<DocumentId>();
  const above = new Set<DocumentId>();
  for (const page of index.pages.values()) {
    if (!isUnread(page)) continue;
    pages.add(page.id);
    for (const { id } of pathTo(index, page.id)) above.add(id);
  }
  return { pages, above };
}
