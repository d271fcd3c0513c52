// The interface between the backend and its database. Values travel as: bytea, `\x…` text; times, ISO 8601; int8, a number
// where it fits; JSON, parsed.

export type QueryResult<R> = {
  readonly rows: R[];
  /** Only for statements that write. */
  readonly affectedRows?: number | undefined;
};

export type Queries = {
  /** Runs one statement. Throws `DatabaseError`. */
  query<R>(sql: string, params?: unknown[]): Promise<QueryResult<R>>;
  /** Runs any number of statements, without parameters and without a time limit. */
  exec(sql: string): Promise<unknown>;
};

/** Transaction-local settings: `role`, `request.jwt.claims`, … */
export type Settings = Readonly<Record<string, string>>;

export type Transaction = Queries & {
  /** Applies `settings` until the end of the transaction. A `role` also sets the time limit of its statements (`limitOf`). */
  set(settings: Settings): Promise<void>;
  /** Ends the transaction without committing. The callback of `transaction` may still return a value. */
  rollback(): Promise<void>;
};

export type Engine = Queries & {
  /** Commits if `run` resolves, rolls back if it rejects. Has a connection of its own. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs one statement in a transaction of its own with `settings`: the cheapest way to run a query as a caller. */
  queryAs<R>(settings: Settings, sql: string, params?: unknown[]): Promise<QueryResult<R>>;
  /** Once this has resolved, `onNotify` gets every notification, in the order of the commits. Resolves with `unlisten`. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** Calls `listener` when listening resumes after a lost connection: notifications in between are lost. Returns `unsubscribe`. */
  onGap(listener: () => void): () => void;
  /** Call it after the database got new types, so that arrays of them are read as arrays. */
  learnTypes(): Promise<void>;
  /** While it is on, because the disk is nearly full, PostgreSQL refuses every statement that writes, with 25006. */
  setReadOnly(isReadOnly: boolean): void;
  readonly closed: boolean;
  close(): Promise<void>;
};

/** One statement that applies all settings with `set_config`. */
export function settingsQuery(settings: Settings): { readonly sql: string; readonly params: string[] } {
  const entries = Object.entries(settings);
  const calls = entries.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`);
  return { sql: `select ${calls.join(', ')}`, params: entries.flat() };
}

/** How long a statement may take, in ms, before PostgreSQL cancels it with 57014. */
export type StatementLimits = {
  /** The hosted service's values. `other` is for roles that are not listed. */
  readonly roles: Readonly<Record<string, number>>;
  readonly other: number;
  /** The limit of the backend's own statements, which run under no role. */
  readonly own: number;
};

export const STATEMENT_LIMITS: StatementLimits = {
  roles: { anon: 3_000, authenticated: 8_000 },
  other: 8_000,
  own: 120_000,
};

/** `role` null, or PostgreSQL's `none`: the backend's own statement. */
export const limitOf = (limits: StatementLimits, role: string | null | undefined): number =>
  role == null || role === 'none' ? limits.own : (limits.roles[role] ?? limits.other);
