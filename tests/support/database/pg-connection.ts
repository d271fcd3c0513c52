// One connection to a test database. It converts values between PostgreSQL and JavaScript as the backend does.
import pg from 'pg';

const INT8 = 20;
const BYTEA = 17;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
/** "2026-11-21 00:09:07.006+00" → "2026-11-21T00:09:07.006+00:00"; "infinity" stays as it is. */
const toIso = (text: string): string => text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
const parsers = new Map<number, (text: string) => string>([
  [BYTEA, (text) => text],
  [TIMESTAMP, toIso],
  [TIMESTAMPTZ, toIso],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === INT8 ? Number : (parsers.get(oid) ?? pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text')),
};

export class PgConnection {
  readonly #client: pg.Client;
  /** By statement: which parameters are JSON. Only for statements with an object among their parameters. */
  readonly #json = new Map<string, readonly boolean[]>();
  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<PgConnection> {
    const client = new pg.Client({ connectionString: url, types });
    await client.connect();
    await client.query(`set time zone 'UTC'`);
    return new PgConnection(client);
  }

  async query<R extends Record<string, unknown>>(text: string, params: unknown[] = []): Promise<R[]> {
    return (await this.#client.query<R>(text, await this.#serialized(text, params))).rows;
  }

  /** Commits if `run` resolves; rolls back if it throws or calls `rollback`. */
  async transaction<T>(
    run: (tx: Pick<PgConnection, 'query'> & { rollback(): Promise<void> }) => Promise<T>,
  ): Promise<T> {
    let isOpen = true;
    const end = async (how: 'commit' | 'rollback') => {
      if (isOpen) await this.#client.query(how);
      isOpen = false;
    };
    await this.#client.query('begin');
    try {
      const result = await run({ query: (text, params) => this.query(text, params), rollback: () => end('rollback') });
      await end('commit');
      return result;
    } catch (error) {
      await end('rollback');
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /** A JavaScript array can be meant as an array or as JSON; only the server knows. */
  async #serialized(text: string, params: unknown[]): Promise<unknown[]> {
    const isOpen = (value: unknown) => typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
    if (!params.some(isOpen)) return params;
    const json = this.#json.get(text) ?? (await this.#describe(text));
    this.#json.set(text, json);
    return params.map((value, at) => (isOpen(value) && json[at] === true ? JSON.stringify(value) : value));
  }

  async #describe(text: string): Promise<readonly boolean[]> {
    await this.#client.query(`prepare described as ${text}`);
    const { rows } = await this.#client.query<{ json: boolean[] }>(
      `select array(select type in ('json'::regtype, 'jsonb'::regtype) from unnest(parameter_types) as type) as json
       from pg_prepared_statements where name = 'described'`,
    );
    await this.#client.query('deallocate described');
    return rows[0]?.json ?? [];
  }
}
