// Opens the database: the PostgreSQL of DATABASE_URL, or the bundled one in the data directory or in a temporary folder.
import pg from 'pg';
import type { Engine, Queries } from '../engine.ts';
import { openPostgresEngine } from '../engine/postgres-engine.ts';
import type { ClusterPlace } from '../postgres/cluster-place.ts';
import { startDataCluster, startTemporaryCluster } from '../postgres/cluster.ts';
import { StartError } from '../start-error.ts';
import { checkClaimable, claimDatabase } from './claim-database.ts';
import { copyCluster, prepareUpgrade } from './upgrade.ts';

export type EngineOptions = {
  readonly databaseUrl: string | undefined;
  /** The place of the bundled PostgreSQL's data. Null for a temporary cluster. */
  readonly data: { readonly dir: string; readonly cluster: ClusterPlace } | null;
  /** Folder of the migrations that will be applied; null: none. */
  readonly migrationsDir: string | null;
  readonly log: (line: string) => void;
};

export type OpenedEngine = {
  readonly engine: Engine;
  /** For other clients, such as psql. */
  readonly url: string;
  /** Name of the folder of stored files. It depends on the database, so that no other database's sweep removes its files. */
  readonly filesName: string;
  readonly close: () => Promise<void>;
};

/** Throws a `StartError` if it cannot be used. */
export function openEngine(options: EngineOptions): Promise<OpenedEngine> {
  return options.databaseUrl === undefined ? openBundled(options) : openExternal(options.databaseUrl, options);
}

async function openBundled({ data, migrationsDir, log }: EngineOptions): Promise<OpenedEngine> {
  const server = data === null ? await startTemporaryCluster(log) : await startDataCluster(data.dir, data.cluster, log);
  try {
    if (migrationsDir !== null && data !== null) {
      const client = new pg.Client({ connectionString: server.url });
      // If this start fails, the server ends the connection.
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

async function openExternal(url: string, { migrationsDir, log }: EngineOptions): Promise<OpenedEngine> {
  const engine = await openPostgresEngine({ url }).catch((cause: unknown) => {
    throw cause instanceof StartError
      ? cause
      : new StartError(`The database of DATABASE_URL cannot be used: ${String(cause)}`, { cause });
  });
  try {
    await checkClaimable(engine);
    const filesName = `files-${await claimDatabase(engine)}`;
    if (migrationsDir !== null) await prepareUpgrade(engine, { migrationsDir, copy: null, log });
    return { engine, url, filesName, close: () => engine.close() };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
