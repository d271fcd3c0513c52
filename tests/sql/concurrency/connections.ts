// Many connections to one database, each calling the API as PostgREST does: one transaction per call, with the caller's
// role. Nothing is rolled back, so every test creates a page of its own.
import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import { afterAll, beforeAll, expect } from 'vitest';
import { parseAnswer } from 'weft-sync/protocol/answers.ts';
import { type AppendAnswer, appendAnswer } from 'weft-sync/protocol/log-answers.ts';
import { copyDatabase, dropDatabase } from '../../support/database/databases.ts';
import { PgConnection } from '../../support/database/pg-connection.ts';
import { type Caller, type Queries, Refused, Sql, become, callText, refusalOf } from '../../support/database/sql.ts';
import { type AppendOptions, type WorkspaceFixture, appendArgs, buildWorkspace } from '../fixture/workspace-fixture.ts';

type Args = Record<string, unknown>;

/** One connection of a pool. It runs its calls one after the other. */
export class ApiConnection {
  readonly #connection: PgConnection;
  #last: Promise<unknown> = Promise.resolve();
  constructor(connection: PgConnection) {
    this.#connection = connection;
  }

  /** Throws `Refused`. A call that waited too long for a lock (55P03, after 2 s) is repeated, as clients do. */
  async call(caller: Caller, name: string, args: Args): Promise<unknown> {
    for (;;) {
      try {
        return await this.transaction((tx) => callIn(tx, caller, name, args));
      } catch (error) {
        if (!(error instanceof Refused) || error.refusal.code !== '55P03') throw error;
      }
    }
  }

  async ask<S extends v.GenericSchema>(caller: Caller, schema: S, name: string, args: Args): Promise<v.InferOutput<S>> {
    const parsed = parseAnswer(schema, await this.call(caller, name, args));
    if (!parsed.ok) throw new Error(`${name}: ${parsed.error.detail}`);
    return parsed.value;
  }

  /** Returns `ok`, or the code with which the call was refused. */
  async outcome(caller: Caller, name: string, args: Args): Promise<string> {
    try {
      await this.call(caller, name, args);
      return 'ok';
    } catch (error) {
      if (error instanceof Refused) return error.refusal.code;
      throw error;
    }
  }

  append(caller: Caller, options: AppendOptions): Promise<AppendAnswer> {
    return this.ask(caller, appendAnswer, 'append_update', appendArgs(options));
  }

  async startSession(caller: Caller, document: string, clientId: number): Promise<string> {
    const session = randomUUID();
    await this.call(caller, 'start_session', { document, session, client_id: clientId, schema_version: 1 });
    return session;
  }

  /** Runs a statement as the owner of the database. */
  rows<R extends Args>(text: string, params: unknown[] = []): Promise<R[]> {
    return this.transaction((tx) => tx.query<R>(text, params));
  }

  transaction<T>(run: (tx: Queries) => Promise<T>): Promise<T> {
    const next = this.#last.then(async () => {
      try {
        return await this.#connection.transaction(run);
      } catch (error) {
        throw error instanceof Refused ? error : new Refused(refusalOf(error));
      }
    });
    this.#last = next.catch(() => undefined);
    return next;
  }
}

/** Calls a function inside an open transaction, then switches the transaction back to the owner of the database. */
export async function callIn(tx: Queries, caller: Caller, name: string, args: Args): Promise<unknown> {
  await become(tx, caller);
  const [row] = await tx.query<{ answer: unknown }>(callText(name, args), Object.values(args));
  await tx.query(`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)`);
  return row?.answer;
}

export type Connections = {
  readonly fixture: WorkspaceFixture;
  readonly pool: readonly ApiConnection[];
  /** One more connection, for preparing and checking while the pool is busy. */
  readonly control: ApiConnection;
  /** Creates a page of the workspace as its owner; row 1 is the seed. */
  readonly newPage: () => Promise<string>;
};

/** One of the pool; a larger index begins again. */
export function connectionAt({ pool }: Connections, index: number): ApiConnection {
  const connection = pool[index % pool.length];
  if (connection === undefined) throw new Error('no connection');
  return connection;
}

/** Resolves when this many calls wait for a lock. */
export async function waitForLocks(watching: ApiConnection, calls: number): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await watching.rows(text)).length).toBe(calls);
}

export function useConnections(count: number): () => Connections {
  let url: string;
  let opened: readonly PgConnection[] = [];
  let connections: Connections;
  beforeAll(async () => {
    url = await copyDatabase('hosted');
    opened = await Promise.all(Array.from({ length: count + 1 }, () => PgConnection.open(url)));
    const [control, ...pool] = opened.map((connection) => new ApiConnection(connection));
    if (control === undefined) throw new Error('no connection');
    const fixture = await control.transaction((tx) => buildWorkspace(new Sql(tx)));
    const newPage = async () => {
      const id = randomUUID();
      const args = { id, workspace: fixture.workspace, parent: null, rank: 'a5' };
      await control.call(fixture.people.owner, 'create_document', args);
      return id;
    };
    connections = { fixture, pool, control, newPage };
  });
  afterAll(async () => {
    await Promise.all(opened.map((connection) => connection.close()));
    await dropDatabase(url);
  });
  return () => connections;
}
