/** The reason why Weft cannot start, in one sentence for its operator. Any other error at the start is a bug. */
export class StartError extends Error {}

/** The code of an error of the system ("ENOENT") or of the database (its SQLSTATE); null when it has none. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
