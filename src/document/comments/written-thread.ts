// A comment thread as the file of a page has it.
import type * as Y from 'yjs';
import type { Anchor, CommentBlock, CommentBody } from '../../protocol/comments.ts';
import type { FileThread } from '../formats/page-json.ts';
import { findOn, pageMoment } from './find-anchor.ts';
import type { FoundAnchor } from './found-anchor.ts';
import { BREAK } from './page-texts.ts';
import { textPlaceOf } from './positions.ts';

/** With names, since ids of people say nothing elsewhere. */
export type WrittenThread = {
  readonly anchor: Anchor;
  readonly isResolved: boolean;
  /** Oldest first. `at`: ms since 1970. */
  readonly comments: readonly { readonly by: string; readonly at: number; readonly body: CommentBody }[];
};

/** For Weft's own file. Positions of Yjs mean nothing in another document: offsets in the page's texts replace them. */
export function fileThreads(doc: Y.Doc, threads: readonly WrittenThread[]): readonly FileThread[] {
  const page = pageMoment(doc);
  const offsetOf = (position: Extract<FoundAnchor, { at: 'text' }>['from']) => {
    const place = textPlaceOf(doc, position);
    const offset = place === null ? null : page.text().offsetOf(place);
    return offset === null ? null : offset - BREAK.length;
  };
  return threads.map(({ anchor, isResolved, comments }) => {
    const found = findOn(page, anchor);
    return {
      kind: anchor.kind,
      ...(anchor.kind === 'page' ? {} : { quote: anchor.quote }),
      ...(found.at === 'block' ? { block: found.block } : {}),
      ...(found.at === 'text' ? { from: offsetOf(found.from), to: offsetOf(found.to) } : {}),
      resolved: isResolved,
      comments: comments.map(({ by, at, body }) => ({
        by,
        at: new Date(at).toISOString(),
        body: body.map(withoutFile),
      })),
    };
  });
}

/** A file has no bytes of pictures in comments, and their ids say nothing elsewhere. */
function withoutFile(block: CommentBlock) {
  if (block.kind !== 'picture') return block;
  const { picture: _, ...shape } = block;
  return shape;
}
