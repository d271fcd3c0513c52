// What stands where in the data directory, and who may use it: one process at a time, and only a directory that is
// Weft's or empty.
import { access, constants, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Keys, loadKeys } from './keys/keys.ts';
import { type Release, lockDirectory } from './engine/directory-lock.ts';
import { StartError, systemCode } from './start-error.ts';

export type DataDirectory = {
  /** For a PGlite database, which makes it when it is missing. */
  readonly postgresDir: string;
  /** Objects of Storage; made when the first one comes. */
  readonly filesDir: string;
  readonly keys: Keys;
  readonly release: Release;
};

/** Weft's directories have it. */
export const LOCK_FILE = 'lock';
const KEYS_FILE = 'keys.json';

export class DirectoryInUse extends StartError {}

/** Locks `dir`, made when missing, until `release`. Throws a `StartError` when it cannot be used. */
export async function openDataDirectory(dir: string): Promise<DataDirectory> {
  await makeWritable(dir);
  const entries = await readdir(dir);
  if (entries.length > 0 && !entries.includes(LOCK_FILE)) {
    throw new StartError(`The data directory ${dir} holds something else; name an empty one with --data.`);
  }
  const release = lockDirectory(join(dir, LOCK_FILE));
  if (release === null) throw new DirectoryInUse(`The data directory ${dir} is in use by another Weft.`);
  try {
    const keys = await loadKeys(join(dir, KEYS_FILE));
    const postgresDir = join(dir, 'postgres');
    return { postgresDir, filesDir: join(dir, 'files'), keys, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function makeWritable(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason =
      systemCode(cause) === 'ENOTDIR' || systemCode(cause) === 'EEXIST' ? 'is not a directory' : 'cannot be written';
    throw new StartError(`The data directory ${dir} ${reason}.`, { cause });
  }
}
