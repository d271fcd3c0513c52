// The code that only the comments of a signed-in person need, as one module: it comes in one request.
export { commentChangeQueue } from '../../platform/browser/storage/comment-change-queue.ts';
export { supabaseComments } from '../../platform/supabase/comments.ts';
export { personComments } from '../../state/comments/person-comments.ts';
