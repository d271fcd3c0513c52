// An error of the database, with the fields of PostgreSQL's error message that it has.

export type ErrorFields = {
  readonly message: string;
  /** SQLSTATE. */
  readonly code: string;
  readonly severity: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly where?: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
};

const OPTIONAL = ['detail', 'hint', 'where', 'schema', 'table', 'column', 'constraint'] as const;

export class DatabaseError extends Error {
  readonly code: string;
  readonly severity: string;
  declare readonly detail?: string;
  declare readonly hint?: string;
  declare readonly where?: string;
  declare readonly schema?: string;
  declare readonly table?: string;
  declare readonly column?: string;
  declare readonly constraint?: string;

  constructor(fields: ErrorFields) {
    super(fields.message);
    this.code = fields.code;
    this.severity = fields.severity;
    for (const name of OPTIONAL) if (fields[name] !== undefined) Reflect.set(this, name, fields[name]);
  }
}

/** The database cannot be reached, or the connection broke before the answer came. PostgREST answers 503. */
export const unavailable = (message: string): DatabaseError =>
  new DatabaseError({ message, code: '57P01', severity: 'FATAL' });

/** The fields of an error that a driver threw; null if it is not one of the database. */
export function fieldsOf(error: unknown): ErrorFields | null {
  if (!(error instanceof Error)) return null;
  const text = (name: string): string | undefined => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : undefined;
  };
  const [code, severity] = [text('code'), text('severity')];
  if (code === undefined || severity === undefined) return null;
  const optional = OPTIONAL.map((name) => [name, text(name)]).filter(([, value]) => value !== undefined);
  return { message: error.message, code, severity, ...Object.fromEntries(optional) };
}
