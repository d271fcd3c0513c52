// Gap: at the first request of every process @supabase/lite 0.10.0 runs GRANT ALL ON ALL TABLES to anon, authenticated and
// service_role in each schema with row level security, and so undoes every REVOKE of the migrations.
// It keeps a private mark that this was done; we set the mark and grant what a hosted project grants (bootstrap/*.sql).
import type { PgliteConnection } from '@supabase/lite/pglite';

export function keepGrantsAsTheyAre(connection: PgliteConnection): void {
  Reflect.set(connection, 'rlsState', 'active');
}
