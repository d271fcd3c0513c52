// Finds rows that mention an id, in whatever column of whatever table of ours.
import type { Sql } from '../support/database/sql.ts';

/** The tables that have such rows. */
export async function danglingRows(sql: Sql, id: string): Promise<string[]> {
  const tables = await sql.rows<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class as c
     where c.relnamespace in ('public'::regnamespace, 'weft'::regnamespace) and c.relkind = 'r' order by 1`,
  );
  const found = [];
  for (const { name } of tables) {
    const rows = await sql.rows(`select from ${name} as t where to_jsonb(t)::text like $1 limit 1`, [`%${id}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
