// The plain text of a comment.
import { counted } from '../../lib/text/counted.ts';
import { type CommentBody, linesOf, picturesOf } from '../../protocol/comments.ts';

/** A line per paragraph or item. A comment of pictures alone says how many. */
export function textOfBody(body: CommentBody): string {
  const words = linesOf(body)
    .map(({ runs }) => runs.map(({ text }) => text).join(''))
    .join('\n');
  const { length } = picturesOf(body);
  if (words.trim() !== '' || length === 0) return words;
  return length === 1 ? 'A picture' : counted(length, 'picture');
}
