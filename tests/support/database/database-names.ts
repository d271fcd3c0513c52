// Names, URLs and connections of databases on the PostgreSQL of the tests.
import { randomUUID } from 'node:crypto';
import pg from 'pg';

export const newName = (): string => `weft_test_${randomUUID().replaceAll('-', '')}`;

/** Resolves with the name of a new, empty database. */
export async function newDatabase(serverUrl: string): Promise<string> {
  const name = newName();
  await connected(serverUrl, (client) => client.query(`create database ${name}`));
  return name;
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs `run` with a connection, and closes it afterwards. */
export async function connected<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
