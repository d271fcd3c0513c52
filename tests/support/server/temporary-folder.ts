// Temporary folders for the data directories of servers.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a folder. Unlike a folder of `mkdtemp` alone, other users may pass through it: where root runs the tests, PostgreSQL
 * runs as another user and would otherwise put its database elsewhere.
 */
export async function temporaryFolder(name: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `weft-${name}-`));
  await chmod(dir, 0o711);
  return dir;
}

/** Retries, because the PostgreSQL of a server that was killed may still write into the folder for a moment. */
export const removeFolder = (dir: string): Promise<void> =>
  rm(dir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
