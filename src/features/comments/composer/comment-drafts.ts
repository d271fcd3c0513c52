// What a person typed and has not sent: on this device, by page and by the comment or thread it is for.
import type { DocumentId, UserId } from 'weft-sync/protocol/ids.ts';
import type { Cancel } from '../../../lib/cancel.ts';
import { parseJsonOrNull } from '../../../lib/parse-or-null.ts';
import { type Anchor, type CommentBody, anchor, commentBody } from '../../../protocol/comments.ts';
import { STORED_TEXTS, onTextChange, readText, storeText } from '../../../ui/browser/stored-texts.ts';

/** The draft in one field. Another tab may have the same draft in a field. */
export interface CommentDraft {
  readonly body: CommentBody | null;
  /** Null deletes it, unless another tab wrote other words since. */
  readonly write: (body: CommentBody | null) => void;
  /** Runs when another tab sent or discarded these very words. */
  readonly onDelete: (run: () => void) => Cancel;
}

export interface CommentDrafts {
  readonly read: (place: string) => CommentBody | null;
  readonly open: (place: string) => CommentDraft;
  /** What the new thread is about that was begun here. */
  readonly readAnchor: () => Anchor | null;
  readonly writeAnchor: (anchor: Anchor | null) => void;
}

/** The place of the text of a new thread. */
export const NEW_THREAD = 'new';
const ANCHOR = 'anchor';

export function commentDrafts(person: UserId, document: DocumentId): CommentDrafts {
  const nameOf = (place: string) => `${STORED_TEXTS.commentDrafts}${person}:${document}:${place}`;
  const read = (place: string) => parseJsonOrNull(commentBody, readText(nameOf(place)));
  return {
    read,
    open: (place) => ({ body: read(place), ...openText(nameOf(place)) }),
    readAnchor: () => parseJsonOrNull(anchor, readText(nameOf(ANCHOR))),
    writeAnchor: (about) => storeText(nameOf(ANCHOR), about === null ? null : JSON.stringify(about)),
  };
}

function openText(name: string): Pick<CommentDraft, 'write' | 'onDelete'> {
  /** As this field has it. */
  let own = readText(name);
  return {
    write(body) {
      const isOwn = readText(name) === own;
      own = body === null ? null : JSON.stringify(body);
      if (own !== null || isOwn) storeText(name, own);
    },
    onDelete(run) {
      let stored = readText(name);
      return onTextChange(name, () => {
        const before = stored;
        stored = readText(name);
        if (stored === null && own !== null && before === own) run();
      });
    },
  };
}
