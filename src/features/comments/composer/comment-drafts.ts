// What a person typed and has not sent: on this device, by page and by the comment or thread it is for.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import { parseJsonOrNull } from '../../../lib/parse-or-null.ts';
import { type Anchor, type CommentBody, anchor, commentBody } from '../../../protocol/comments.ts';
import { STORED_TEXTS, readText, storeText } from '../../../ui/browser/stored-texts.ts';

export interface CommentDrafts {
  readonly read: (place: string) => CommentBody | null;
  readonly write: (place: string, body: CommentBody | null) => void;
  /** What the new thread is about that was begun here. */
  readonly readAnchor: () => Anchor | null;
  readonly writeAnchor: (anchor: Anchor | null) => void;
}

/** The place of the text of a new thread. */
export const NEW_THREAD = 'new';
const ANCHOR = 'anchor';

export function commentDrafts(person: UserId, document: DocumentId): CommentDrafts {
  const nameOf = (place: string) => `${STORED_TEXTS.commentDrafts}${person}:${document}:${place}`;
  const write = (place: string, value: unknown) =>
    storeText(nameOf(place), value === null ? null : JSON.stringify(value));
  return {
    read: (place) => parseJsonOrNull(commentBody, readText(nameOf(place))),
    write,
    readAnchor: () => parseJsonOrNull(anchor, readText(nameOf(ANCHOR))),
    writeAnchor: (about) => write(ANCHOR, about),
  };
}
