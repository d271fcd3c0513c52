// Reads access tokens and keys from Authorization headers.

/** Null if there is none. */
export const bearerOf = (authorization: string | null | undefined): string | null =>
  /^Bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1] ?? null;
