// Databases of a test server by their names and URLs.
import { randomUUID } from 'node:crypto';
import pg from 'pg';

export const newName = (): string => `weft_test_${randomUUID().replaceAll('-', '')}`;

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

export async function connected<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
