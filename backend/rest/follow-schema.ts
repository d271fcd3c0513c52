// Gap: @supabase/lite 0.10.0 does not hear `notify pgrst, 'reload schema'`, which is how a hosted project is told that tables
// or functions changed.
import type { PgliteConnection } from '@supabase/lite/pglite';
import type { Engine } from '../engine.ts';

/** From now on lite's knowledge of the schema and ours are forgotten together, and when the database is told so. */
export async function followSchema(
  connection: PgliteConnection,
  pg: Engine,
  catalogues: readonly { forget(): void }[],
): Promise<void> {
  const clear = connection.clearSchemaCache.bind(connection);
  connection.clearSchemaCache = async (...args) => {
    for (const catalogue of catalogues) catalogue.forget();
    return clear(...args);
  };
  await pg.listen('pgrst', (payload) => {
    if (payload === '' || payload === 'reload schema') void connection.clearSchemaCache();
  });
}
