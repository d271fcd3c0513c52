// What only comments need: one module, so that it comes in one request.
export { commentChangeQueue } from '../../platform/browser/storage/comment-change-queue.ts';
export { supabaseComments } from '../../platform/supabase/comments.ts';
export { personComments } from '../../state/comments/person-comments.ts';
