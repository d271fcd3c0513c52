// Opens the database that was asked for: PGlite in the data directory or in memory, or a PostgreSQL that may be made ours.
import type { Engine } from './engine.ts';
import { openPgliteEngine } from './engine/pglite.ts';
import { checkOwnDatabase, markOwnDatabase } from './own-database.ts';
import { StartError } from './start-error.ts';
import { refuseOtherPostgres } from './upgrade.ts';

export type EnginePlace = {
  readonly databaseUrl: string | undefined;
  /** For PGlite; null: in memory. */
  readonly postgresDir: string | null;
  readonly image: Blob | undefined;
};

export type OpenEngine = {
  readonly engine: Engine;
  /** What the folder of its files is called: one that belongs to another database must not be swept by this one's rows. */
  readonly filesName: string;
  /** All of it as one file. */
  readonly image: () => Promise<Blob>;
};

/** Throws a `StartError` when it cannot be used. */
export async function openEngine({ databaseUrl, postgresDir, image }: EnginePlace): Promise<OpenEngine> {
  if (databaseUrl !== undefined) return openPostgres(databaseUrl);
  if (postgresDir !== null) await refuseOtherPostgres(postgresDir);
  const engine = await openPgliteEngine({ dir: postgresDir, image });
  return { engine, filesName: 'files', image: () => engine.image() };
}

async function openPostgres(url: string): Promise<OpenEngine> {
  // Who has PGlite needs none of it.
  const { openPostgresEngine } = await import('./engine/postgres.ts');
  const engine = await openPostgresEngine({ url }).catch((cause: unknown) => {
    throw cause instanceof StartError
      ? cause
      : new StartError(`The database of DATABASE_URL cannot be used: ${String(cause)}`, { cause });
  });
  try {
    await checkOwnDatabase(engine);
    return {
      engine,
      filesName: `files-${await markOwnDatabase(engine)}`,
      image: () => Promise.reject(new Error('A PostgreSQL of its own is copied with its own tools.')),
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
