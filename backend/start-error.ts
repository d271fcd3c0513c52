/** The reason why Weft cannot start, in one sentence for its operator. Any other error at the start is a bug. */
export class StartError extends Error {}

/** The code of a system error ("ENOENT"), or null when it is none. */
export const systemCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
