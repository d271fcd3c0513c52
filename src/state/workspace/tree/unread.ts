// Unread marks: the pages that someone else changed since this person last visited them.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { DocumentSummary } from '../../../protocol/answers.ts';
import { type PageIndex, pathTo } from './page-index.ts';

export type Unread = {
  readonly pages: ReadonlySet<DocumentId>;
  /** The pages that have unread ones below them, at any depth. */
  readonly above: ReadonlySet<DocumentId>;
};

/** A page that this person never visited has no mark: in a workspace that is new to them every page would have one. */
const isUnread = ({ visitedAt, updatedAt, updatedBy }: DocumentSummary, me: UserId): boolean =>
  visitedAt !== null && updatedAt > visitedAt && updatedBy !== me;

/** `isRead` knows of pages that are on the screen, or that were read here and whose visit the lists do not have yet. */
export function unreadOf(index: PageIndex, me: UserId, isRead: (page: DocumentId) => boolean): Unread {
  const pages = new Set<DocumentId>();
  const above = new Set<DocumentId>();
  for (const page of index.pages.values()) {
    if (!isUnread(page, me) || isRead(page.id)) continue;
    pages.add(page.id);
    for (const { id } of pathTo(index, page.id)) above.add(id);
  }
  return { pages, above };
}
