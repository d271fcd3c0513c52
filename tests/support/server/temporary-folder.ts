// Temporary folders for the data directories of servers.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Makes a folder. Unlike a folder of `mkdtemp` alone, other users may pass through it: where root runs the tests, PostgreSQL
 * runs as another user and would otherwise put its database elsewhere.
 */
export async function temporaryFolder(name: string, parent = tmpdir()): Promise<string> {
  const dir = await mkdtemp(join(parent, `weft-${name}-`));
  await chmod(dir, 0o711);
  return dir;
}

/** Retries, because the PostgreSQL of a server that was killed may still write into the folder for a moment. */
export const removeFolder = (dir: string): Promise<void> =>
  rm(dir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });

/** Copies a data directory. Node's own `cp` takes four times as long for its thousand files, and its `cpSync` changes modes. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-r', from, to]);
}
