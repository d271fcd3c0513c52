// Folders for data directories of tests.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder for data directories. Unlike that of `mkdtemp` alone, others may pass through it: where root runs the tests,
 * PostgreSQL runs as another user and would otherwise keep its database elsewhere.
 */
export async function temporaryFolder(name: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), `weft-${name}-`));
  await chmod(dir, 0o711);
  return dir;
}

/** The PostgreSQL of a server that was killed may still write into it for a moment. */
export const removeFolder = (dir: string): Promise<void> =>
  rm(dir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
