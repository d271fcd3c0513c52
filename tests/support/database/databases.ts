// New databases for test files, on the PostgreSQL that vitest's global set-up provides (provide-postgres.ts).
import { inject } from 'vitest';
import { connected, databaseUrl, newDatabase, newName } from './database-names.ts';

/**
 * The template of a new database. `hosted`: like a new hosted project with Weft's migrations, as `supabase db push` applies
 * them. `backend`: as the embedded backend makes it. `realtime`: only the tables that our Realtime needs, with policies that
 * read a table of grants.
 */
export type TemplateName = 'hosted' | 'backend' | 'realtime';

/** The URL of the database `postgres`, as a superuser. */
export const serverUrl = (): Promise<string> => request('/');

/** Resolves with the URL of a new copy. */
export async function copyDatabase(template: TemplateName): Promise<string> {
  const [url, from] = await Promise.all([serverUrl(), request(`/${template}`)]);
  const name = newName();
  await connected(url, (client) => client.query(`create database ${name} template ${from}`));
  return databaseUrl(url, name);
}

/** Resolves with the URL of a new database without tables. The roles of a Supabase project exist. */
export async function emptyDatabase(): Promise<string> {
  // Making a template creates the roles. Two backends that create them at the same time would collide.
  const [url] = await Promise.all([serverUrl(), request('/backend')]);
  return databaseUrl(url, await newDatabase(url));
}

/** Drops a database by its URL, even if someone is still connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await connected(databaseUrl(url, 'postgres'), (client) =>
    client.query(`drop database if exists ${name} with (force)`),
  );
}

async function request(path: string): Promise<string> {
  const response = await fetch(`${inject('postgresService')}${path}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`PostgreSQL for tests: ${text}`);
  return text;
}
