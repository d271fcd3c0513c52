// What a database has of Weft, as sorted lines: two databases with the same lines have the same tables, functions and rights.
import * as v from 'valibot';

const OURS = `n.nspname in ('public', 'weft')`;

const PARTS: Readonly<Record<string, string>> = {
  enum: `select format('%s.%s %s', n.nspname, t.typname,
      (select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum as e where e.enumtypid = t.oid)) as line
    from pg_type as t join pg_namespace as n on n.oid = t.typnamespace where ${OURS} and t.typtype = 'e'`,
  // The order of columns too: rows are read by it.
  column: `select format('%s.%s %s %s %s %s null=%s %s %s %s %s', n.nspname, c.relname, c.relkind, c.relpersistence,
      row_number() over (partition by c.oid order by a.attnum), a.attname || ' ' || format_type(a.atttypid, a.atttypmod),
      not a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attstorage, a.attacl) as line
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef as d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${OURS} and c.relkind in ('r', 'c', 'v')`,
  table: `select format('%s.%s security=%s %s %s', n.nspname, c.relname, c.relrowsecurity, c.reloptions,
      (select string_agg(one::text, ' ' order by one::text) from unnest(coalesce(c.relacl, acldefault('r', c.relowner))) as one)) as line
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('r', 'v')`,
  constraint: `select format('%s %s %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as line
    from pg_constraint as c join pg_namespace as n on n.oid = c.connamespace where ${OURS} and c.contype <> 'n'`,
  index: `select indexdef as line from pg_indexes where schemaname in ('public', 'weft')`,
  policy: `select format('%s.%s %s %s %s %s %s %s', schemaname, tablename, policyname, permissive, roles, cmd, qual, with_check) as line
    from pg_policies`,
  trigger: `select pg_get_triggerdef(t.oid) as line from pg_trigger as t where not t.tgisinternal`,
  function: `select concat_ws(e'\\n', (select string_agg(one::text, ' ' order by one::text) from unnest(coalesce(p.proacl, acldefault('f', p.proowner))) as one),
      pg_get_functiondef(p.oid)) as line
    from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace where ${OURS}`,
  schema: `select format('%s %s', n.nspname, n.nspacl) as line from pg_namespace as n where ${OURS}`,
  bucket: `select format('%s %s %s %s', id, public, file_size_limit, allowed_mime_types) as line from storage.buckets`,
};

const lineForm = v.object({ line: v.string() });

export async function describeSchema(query: (sql: string) => Promise<readonly unknown[]>): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [part, sql] of Object.entries(PARTS)) {
    for (const row of await query(sql)) lines.push(`${part} ${v.parse(lineForm, row).line}`);
  }
  return lines.toSorted();
}
