// Gap: @supabase/lite 0.10.0 writes the names of a function's arguments bare, so a function with an argument called
// `limit` or `user` cannot be called by REST ("syntax error at or near"). PostgREST quotes them.

const ARGUMENT = /([(,]\s*)([A-Za-z_]\w*) := /g;

/** Quotes the names in `name := $1`; values are always parameters, so nothing else can look like one. */
export const quoteArgumentNames = (sql: string): string => sql.replace(ARGUMENT, '$1"$2" := ');
