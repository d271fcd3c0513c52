// Checks that Weft may use the PostgreSQL of DATABASE_URL (the server is new enough, the user a superuser, the database neither a
// Supabase project nor another program's) and marks the database as Weft's.
import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine.ts';
import { StartError } from '../start-error.ts';

/** `unique nulls not distinct` came with 15. */
const OLDEST_VERSION = 150_000;
/** Weft's comment on the schema `auth`; the id of the database follows it. */
const MARK = 'Made by Weft';
const MARKED = new RegExp(`^${MARK} ([0-9a-f-]{36})$`);

/** Throws a `StartError` if Weft may not use it. */
export async function checkClaimable(pg: Engine): Promise<void> {
  const { rows } = await pg.query<{ version: number; name: string; who: string; super: boolean; taken: boolean }>(
    `select current_setting('server_version_num')::int as version, current_database()::text as name,
       quote_ident(current_user) as who, (select rolsuper from pg_roles where rolname = current_user) as super,
       exists (
         select from pg_namespace where nspname = 'auth' and coalesce(obj_description(oid, 'pg_namespace'), '') not like $1
       ) as taken`,
    [`${MARK} %`],
  );
  const [found] = rows;
  if (found === undefined) return;
  if (found.version < OLDEST_VERSION) {
    throw new StartError(
      `DATABASE_URL is a PostgreSQL of version ${Math.floor(found.version / 10_000)}; Weft takes 15 or newer.`,
    );
  }
  if (found.taken) {
    throw new StartError(
      `The database ${found.name} has a schema auth that Weft did not create: it is a Supabase project or belongs to something else. Name an empty database in DATABASE_URL; to use a Supabase project, see the README.`,
    );
  }
  if (!found.super) {
    throw new StartError(
      `The user ${found.who} of DATABASE_URL is not a superuser. Owning the database and creating roles is not enough: one of the roles of a Supabase project bypasses row level security, and only a superuser can grant that. Let a superuser run: alter role ${found.who} superuser;`,
    );
  }
}

/**
 * Returns the database's id; marks the database first if it has none. The id stays with the database when it is copied to
 * another server, and names the folder of its stored files.
 */
export async function claimDatabase(pg: Engine): Promise<string> {
  const { rows } = await pg.query<{ mark: string | null }>(
    `select obj_description(to_regnamespace('auth'), 'pg_namespace') as mark`,
  );
  const [, known] = MARKED.exec(rows[0]?.mark ?? '') ?? [];
  if (known !== undefined) return known;
  const id = randomUUID();
  await pg.exec(`create schema if not exists auth; comment on schema auth is '${MARK} ${id}'`);
  return id;
}
