// The code that only comments behind a link need, as one module: it comes in one request.
export { supabaseLinkComments } from '../../platform/supabase/link-comments.ts';
export { linkComments } from '../../state/comments/link-comments.ts';
