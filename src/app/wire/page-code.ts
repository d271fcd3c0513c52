// What only pages need: one module, so that it comes in one request.
export * from '../../sessions/open-sessions.ts';
export { supabaseLog, supabaseWatchLog } from 'weft-sync/supabase/log.ts';
export { supabaseLink } from 'weft-sync/supabase/realtime/link.ts';
