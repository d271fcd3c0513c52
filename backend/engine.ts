// What Weft needs of its database. Values go in and come out like this: bytea as `\x…` text, times as ISO 8601, int8 as
// number where it fits, JSON parsed.

export type QueryResult<R> = {
  readonly rows: R[];
  /** Of statements that write. */
  readonly affectedRows?: number | undefined;
};

export type Queries = {
  /** One statement. Throws `DatabaseError`. */
  query<R>(sql: string, params?: unknown[]): Promise<QueryResult<R>>;
  /** Any number of statements, without parameters and without a time limit. */
  exec(sql: string): Promise<unknown>;
};

/** Transaction-local settings: `role`, `request.jwt.claims`, … */
export type Settings = Readonly<Record<string, string>>;

export type Transaction = Queries & {
  /** Until the end of the transaction. Statements under a `role` may take as long as `limitOf` says. */
  set(settings: Settings): Promise<void>;
  /** Ends it; what `transaction` runs may still return, and nothing is committed. */
  rollback(): Promise<void>;
};

export type Engine = Queries & {
  /** Commits when `run` resolves, rolls back when it rejects. Nobody else's statements come in between. */
  transaction<T>(run: (tx: Transaction) => Promise<T>): Promise<T>;
  /** One statement in a transaction of its own, under these settings: the cheapest way to ask something as somebody. */
  queryAs<R>(settings: Settings, sql: string, params?: unknown[]): Promise<QueryResult<R>>;
  /** `onNotify` gets what was notified after this resolves, in the order of the commits. Answers with the way to end it. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** Told when listening goes on after an interruption: what was notified meanwhile did not come. Answers with the way to end it. */
  onGap(listener: () => void): () => void;
  /** After the database was given new types: arrays of them are read as arrays from then on. */
  learnTypes(): Promise<void>;
  /** While it is on, every statement that writes is refused with 25006. */
  setReadOnly(isReadOnly: boolean): void;
  readonly closed: boolean;
  close(): Promise<void>;
};

/** `set_config` of all of them in one statement, with its parameters. */
export function settingsQuery(settings: Settings): { readonly sql: string; readonly params: string[] } {
  const entries = Object.entries(settings);
  const calls = entries.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`);
  return { sql: `select ${calls.join(', ')}`, params: entries.flat() };
}

/** How long one statement may take, in ms, before it is cancelled with 57014. */
export type StatementLimits = {
  /** By role; `other` for roles without an own limit. The hosted service's. */
  readonly roles: Readonly<Record<string, number>>;
  readonly other: number;
  /** Of statements under no role: the backend's own. */
  readonly own: number;
};

export const STATEMENT_LIMITS: StatementLimits = {
  roles: { anon: 3_000, authenticated: 8_000 },
  other: 8_000,
  own: 120_000,
};

/** `role` null: nobody's in particular. */
export const limitOf = (limits: StatementLimits, role: string | null | undefined): number =>
  role == null || role === 'none' ? limits.own : (limits.roles[role] ?? limits.other);
