// A statement with its parameters, as the modules that write SQL return it.

export type SqlStatement = { readonly sql: string; readonly params: readonly string[] };
