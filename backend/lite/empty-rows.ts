// Gap: @supabase/lite 0.10.0 writes rows without a value (`{}`, `[{},{}]`: all of it defaults) as `() values (), ()`, which is
// no SQL.

const EMPTY = /^(insert into [^(]+) \(\) values ((?:\(\)(?:, )?)+)/;

export const fillEmptyRows = (sql: string): string =>
  sql.replace(EMPTY, (_, into: string, rows: string) => {
    const count = rows.split(',').length;
    return `${into} select from pg_catalog.generate_series(1, ${count})`;
  });
