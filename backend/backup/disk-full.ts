// Tells whether an operation failed for want of room, on the disk of a file or on that of the database, and whether a
// disk is so full that PostgreSQL cannot run on it.
import { statfs } from 'node:fs/promises';
import { systemCode } from '../start-error.ts';

/** The system's codes: no space, or the quota of the user. PostgreSQL's: `disk_full`. */
const CODES = new Set(['ENOSPC', 'EDQUOT', '53100']);

export function isDiskFull(error: unknown): boolean {
  if (CODES.has(systemCode(error) ?? '')) return true;
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause);
}

/** PostgreSQL ends at once, and its clients do not learn why, when there is no room for the next 16 MB of its log. */
const LOG_BYTES = 16 * 1024 * 1024;

export async function isNearlyFull(dir: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize < LOG_BYTES;
}
