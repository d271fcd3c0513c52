// A database with Weft's migrations and no users, and methods to call it as a given caller. Each test runs in one transaction
// that is rolled back. A caller's statement runs with their role and JWT claims, as through the API and Realtime.
import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import { parseAnswer } from 'weft-sync/protocol/answers.ts';
import { fromBase64, toBase64 } from '../../../src/lib/bytes.ts';
import { copyDatabase, dropDatabase } from './databases.ts';
import { PgConnection } from './pg-connection.ts';

/** `anon` and `service` are the two keys of a project; a `Person` is signed in. */
export type Caller = 'anon' | 'service' | Person;
export type Person = { readonly id: string; readonly guest: boolean };

/** Why a statement was refused. `code` is the SQLSTATE: one of Weft's own (WF…), or one of PostgreSQL. */
export type Refusal = { readonly code: string; readonly message: string; readonly detail: string };

export type Message = {
  readonly topic: string;
  readonly event: string;
  /** The payload of a JSON message, without the id that `realtime.send` adds. */
  readonly json: unknown;
  readonly bytes: Uint8Array<ArrayBuffer> | null;
};

/** The four rights that a client may have on a private topic. */
export type TopicRights = {
  readonly receive: boolean;
  readonly seePresence: boolean;
  readonly send: boolean;
  readonly bePresent: boolean;
};

type Row = Record<string, unknown>;

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.message} (${refusal.detail})`);
    this.refusal = refusal;
  }
}

/** An open transaction on one connection. */
export type Queries = {
  query<R extends Row>(text: string, params?: unknown[]): Promise<R[]>;
};

export class SqlDatabase {
  readonly #connection: PgConnection;
  readonly #url: string;
  private constructor(connection: PgConnection, url: string) {
    this.#connection = connection;
    this.#url = url;
  }

  static async open(): Promise<SqlDatabase> {
    const url = await copyDatabase('hosted');
    return new SqlDatabase(await PgConnection.open(url), url);
  }

  async close(): Promise<void> {
    await this.#connection.close();
    await dropDatabase(this.#url);
  }

  /** Runs in a transaction of its own, which is rolled back at the end. */
  async rolledBack(run: (sql: Sql) => Promise<void>): Promise<void> {
    await this.#connection.transaction(async (tx) => {
      await run(new Sql(tx));
      await tx.rollback();
    });
  }

  /** Runs in a transaction that is committed: for the data that all tests of a file need. */
  async setUp<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#connection.transaction((tx) => run(new Sql(tx)));
  }
}

export class Sql {
  readonly #tx: Queries;
  constructor(tx: Queries) {
    this.#tx = tx;
  }

  /** Runs a statement as the owner of the database, who may do everything. */
  async rows<R extends Row = Row>(text: string, params: unknown[] = []): Promise<R[]> {
    return this.#tx.query<R>(text, params);
  }

  async row<R extends Row = Row>(text: string, params: unknown[] = []): Promise<R> {
    const [first] = await this.rows<R>(text, params);
    if (first === undefined) throw new Error(`no row: ${text}`);
    return first;
  }

  /** Signs a person up; the trigger creates their profile. */
  async signUp(name: string, options: { readonly guest?: boolean } = {}): Promise<Person> {
    const id = randomUUID();
    const guest = options.guest === true;
    await this.rows('insert into auth.users (id, email, raw_user_meta_data, is_anonymous) values ($1, $2, $3, $4)', [
      id,
      guest ? null : `${name}@example.org`,
      JSON.stringify(guest ? {} : { display_name: name }),
      guest,
    ]);
    return { id, guest };
  }

  /** Runs one statement as a caller. If it throws `Refused`, its effects are undone and the test goes on. */
  async as<R extends Row = Row>(caller: Caller, text: string, params: unknown[] = []): Promise<R[]> {
    await this.#tx.query('savepoint statement');
    try {
      await become(this.#tx, caller);
      const rows = await this.#tx.query<R>(text, params);
      await this.#tx.query(`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)`);
      await this.#tx.query('release savepoint statement');
      return rows;
    } catch (error) {
      await this.#tx.query('rollback to savepoint statement');
      throw new Refused(refusalOf(error));
    }
  }

  /** Calls a function of the API with named arguments, as PostgREST does. */
  async call(caller: Caller, name: string, args: Row): Promise<unknown> {
    const [row] = await this.as(caller, callText(name, args), Object.values(args));
    return row?.['answer'];
  }

  /** Calls a function and parses its answer as the app does. */
  async ask<Schema extends v.GenericSchema>(
    caller: Caller,
    schema: Schema,
    name: string,
    args: Row,
  ): Promise<v.InferOutput<Schema>> {
    const parsed = parseAnswer(schema, await this.call(caller, name, args));
    if (!parsed.ok) throw new Error(`${name}: ${parsed.error.detail}`);
    return parsed.value;
  }

  /** Resolves with `ok`, or the code with which a call was refused. The effects of the call are undone. */
  async outcome(run: () => Promise<unknown>): Promise<string> {
    await this.#tx.query('savepoint outcome');
    try {
      await run();
      return 'ok';
    } catch (error) {
      if (error instanceof Refused) return error.refusal.code;
      throw error;
    } finally {
      await this.#tx.query('rollback to savepoint outcome');
    }
  }

  /** The reason why a call is refused. Throws if it is not. */
  async refusal(caller: Caller, name: string, args: Row): Promise<Refusal> {
    try {
      await this.call(caller, name, args);
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      throw error;
    }
    throw new Error(`${name} was not refused`);
  }

  /** The Realtime messages that `run` sends, in order. */
  async sentDuring(run: () => Promise<unknown>): Promise<Message[]> {
    await this.rows('delete from realtime.messages');
    await run();
    return this.sent();
  }

  async sent(): Promise<Message[]> {
    // In the order in which they were sent: by transaction, then by command. Not by ctid, because the room of rows that an
    // earlier test rolled back is used again in any order.
    const rows = await this.rows<{ topic: string; event: string; payload: Row | null; base64: string | null }>(
      `select topic, event, encode(binary_payload, 'base64') as base64,
         case when payload ->> 'id' = id::text then payload - 'id' else payload end as payload
       from realtime.messages where extension = 'broadcast' and event is not null
       order by inserted_at, cmin::text::bigint`,
    );
    return rows.map((row) => ({
      topic: row.topic,
      event: row.event,
      json: row.payload,
      bytes: row.base64 === null ? null : fromBase64(row.base64),
    }));
  }

  /**
   * Checks the policies on realtime.messages as Realtime does at a join and at the first send: with rows that have only
   * topic and extension, and the topic in a setting. An error of a policy, which must not happen, is thrown.
   */
  async topicRights(caller: Caller, topic: string): Promise<TopicRights> {
    return {
      receive: await this.#receives(caller, topic, 'broadcast'),
      seePresence: await this.#receives(caller, topic, 'presence'),
      send: await this.#sends(caller, topic, 'broadcast'),
      bePresent: await this.#sends(caller, topic, 'presence'),
    };
  }

  async #receives(caller: Caller, topic: string, extension: string): Promise<boolean> {
    await this.#tx.query('savepoint probe');
    await this.rows('delete from realtime.messages');
    await this.rows('insert into realtime.messages (topic, extension) values ($1, $2)', [topic, extension]);
    await this.rows(`select set_config('realtime.topic', $1, true)`, [topic]);
    const seen = await this.as(caller, 'select from realtime.messages');
    await this.#tx.query('rollback to savepoint probe');
    return seen.length > 0;
  }

  async #sends(caller: Caller, topic: string, extension: string): Promise<boolean> {
    await this.rows(`select set_config('realtime.topic', $1, true)`, [topic]);
    const outcome = await this.outcome(() =>
      this.as(caller, 'insert into realtime.messages (topic, extension) values ($1, $2)', [topic, extension]),
    );
    if (outcome !== 'ok' && outcome !== '42501') throw new Error(`the policy failed with ${outcome}`);
    return outcome === 'ok';
  }
}

/** Sets role and claims until the end of the transaction, as PostgREST does from a token. */
export async function become(tx: Queries, caller: Caller): Promise<void> {
  const role = caller === 'anon' ? 'anon' : caller === 'service' ? 'service_role' : 'authenticated';
  const person = typeof caller === 'string' ? {} : { sub: caller.id, is_anonymous: caller.guest };
  await tx.query(
    `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
       set_config('request.jwt.claim.sub', '', true)`,
    [role, JSON.stringify({ role, ...person })],
  );
}

/** The statement that calls a function of the API with these named arguments; the values are its parameters. */
export function callText(name: string, args: Row): string {
  const list = Object.keys(args).map((arg, at) => `"${arg}" => $${at + 1}`);
  return `select public.${name}(${list.join(', ')}) as answer`;
}

export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) throw new Error(`thrown: ${String(error)}`);
  const field = (name: string) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : '';
  };
  if (field('code') === '') throw error;
  return { code: field('code'), message: error.message, detail: field('detail') };
}

export const base64 = (...bytes: number[]): string => toBase64(Uint8Array.from(bytes));
