// Opens the database: the PostgreSQL of DATABASE_URL, or the bundled one in the data directory or in a temporary folder.
import pg from 'pg';
import type { Engine, Queries } from '../engine.ts';
import { openPostgresEngine } from '../engine/postgres-engine.ts';
import { checkOwnDatabase, markOwnDatabase } from './claim-database.ts';
import { startDataCluster, startTemporaryCluster } from '../postgres/cluster.ts';
import type { ClusterPlace } from '../postgres/cluster-place.ts';
import { StartError } from '../start-error.ts';
import { copyCluster, prepareUpgrade } from './upgrade.ts';

export type EnginePlace = {
  readonly databaseUrl: string | undefined;
  /** The bundled PostgreSQL of a data directory. With neither, it gets a temporary folder. */
  readonly data: { readonly dir: string; readonly cluster: ClusterPlace } | null;
  /** Those that will be applied; null: none. */
  readonly migrationsDir: string | null;
  readonly log: (line: string) => void;
};

export type OpenEngine = {
  readonly engine: Engine;
  /** For other clients, such as psql. */
  readonly url: string;
  /** What the folder of its files is called: one that belongs to another database must not be swept by this one's rows. */
  readonly filesName: string;
  readonly close: () => Promise<void>;
};

/** Throws a `StartError` if it cannot be used. */
export function openEngine(place: EnginePlace): Promise<OpenEngine> {
  return place.databaseUrl === undefined ? openBundled(place) : openGiven(place.databaseUrl, place);
}

async function openBundled({ data, migrationsDir, log }: EnginePlace): Promise<OpenEngine> {
  const server = data === null ? await startTemporaryCluster(log) : await startDataCluster(data.dir, data.cluster, log);
  try {
    if (migrationsDir !== null && data !== null) {
      const client = new pg.Client({ connectionString: server.url });
      // It is ended by the server if this start fails.
      client.on('error', () => {});
      await client.connect();
      const copy = async (version: string) => {
        await client.end();
        await server.pause();
        const path = await copyCluster(data.cluster, version);
        await server.start();
        return path;
      };
      await prepareUpgrade(queriesOf(client), { migrationsDir, copy, log });
      await client.end();
    }
    const engine = await openPostgresEngine({ url: server.url });
    const close = async () => {
      await engine.close();
      await server.stop();
    };
    return { engine, url: server.url, filesName: 'files', close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const queriesOf = (client: pg.Client): Pick<Queries, 'query'> => ({
  query: <R>(sql: string, params?: unknown[]) => client.query<R & pg.QueryResultRow>(sql, params),
});

async function openGiven(url: string, { migrationsDir, log }: EnginePlace): Promise<OpenEngine> {
  const engine = await openPostgresEngine({ url }).catch((cause: unknown) => {
    throw cause instanceof StartError
      ? cause
      : new StartError(`The database of DATABASE_URL cannot be used: ${String(cause)}`, { cause });
  });
  try {
    await checkOwnDatabase(engine);
    const filesName = `files-${await markOwnDatabase(engine)}`;
    if (migrationsDir !== null) await prepareUpgrade(engine, { migrationsDir, copy: null, log });
    return { engine, url, filesName, close: () => engine.close() };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
