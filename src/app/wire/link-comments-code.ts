// What only comments behind a link need: one module, so that it comes in one request.
export { supabaseLinkComments } from '../../platform/supabase/link-comments.ts';
export { linkComments } from '../../state/comments/link-comments.ts';
