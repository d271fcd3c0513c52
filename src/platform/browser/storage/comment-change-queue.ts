// Changes of comments that the server does not have yet.
import * as v from 'valibot';
import { storedRefusal, time } from 'weft-sync/browser/storage/stored-shapes.ts';
import { documentId } from 'weft-sync/protocol/shapes.ts';
import type { CommentQueue } from '../../../ports/comments.ts';
import { anchor, commentBody } from '../../../protocol/comments.ts';
import { commentId, threadId } from '../../../protocol/shapes.ts';
import { changeQueue } from './change-queue.ts';
import type { WeftDatabase } from './weft-database.ts';

const about = {
  key: v.string(),
  page: documentId,
  thread: threadId,
  madeAt: time,
  refused: v.optional(storedRefusal, null),
};
const comment = { ...about, comment: commentId };
const newWords = { ...comment, body: commentBody, isChanged: v.exactOptional(v.boolean()) };
const commentChange = v.variant('kind', [
  v.object({ ...newWords, kind: v.literal('start'), anchor }),
  v.object({ ...newWords, kind: v.literal('reply') }),
  v.object({ ...comment, kind: v.literal('edit'), body: commentBody }),
  v.object({ ...comment, kind: v.literal('remove') }),
  v.object({ ...about, kind: v.literal('resolve'), isResolved: v.boolean() }),
  v.object({ ...comment, kind: v.literal('react'), emoji: v.string(), isSet: v.boolean() }),
]);

export const commentChangeQueue = (database: WeftDatabase): CommentQueue =>
  changeQueue(database, 'commentChanges', commentChange);
