/** Why Weft cannot start, or a command cannot do its work, in words for the operator. Other errors count as bugs. */
export class StartError extends Error {}

/** The code of an error of the system ("ENOENT") or of the database (its SQLSTATE); null when it has none. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
