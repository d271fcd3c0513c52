// Opens the data directory: locks it for one process, refuses a directory that is neither Weft's nor empty, and creates
// keys and database at the first start. Keys and a bundled database belong together: if only one of them exists, the
// start fails.
import { access, constants, mkdir, readdir, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Keys, promoteDraftKeys, makeDraftKeys, makeKeys, readKeys, writeKeys } from '../keys/keys.ts';
import { type ClusterPlace, findCluster } from '../postgres/cluster-place.ts';
import { createDataCluster } from '../postgres/cluster.ts';
import { makeDirectory } from '../postgres/make-directory.ts';
import { StartError, systemCode } from '../start-error.ts';
import { type Release, lockDirectory } from './directory-lock.ts';

export type DataDirectory = {
  /** Null if the database is elsewhere (DATABASE_URL). */
  readonly cluster: ClusterPlace | null;
  readonly keys: Keys;
  readonly release: Release;
};

export type DataDirectoryOptions = {
  /** False if the database is elsewhere (DATABASE_URL). */
  readonly hasDatabase: boolean;
  readonly log: (line: string) => void;
};

/** Marks a directory as Weft's. */
export const LOCK_FILE = 'lock';
const KEYS_FILE = 'keys.json';
/** PostgreSQL cannot start without room for its log; a new database takes about 60 MB. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;
const NEW_DATABASE_BYTES = 160 * 1024 * 1024;

export class DirectoryInUse extends StartError {}

/** Creates `dir` if it is missing, and locks it until `release`. Throws a `StartError` if it cannot be used. */
export async function openDataDirectory(dir: string, options: DataDirectoryOptions): Promise<DataDirectory> {
  await makeWritable(dir, options);
  const entries = await readdir(dir);
  // A copy may lack the lock.
  if (entries.length > 0 && !entries.some((name) => name === LOCK_FILE || name === KEYS_FILE)) {
    throw new StartError(`The data directory ${dir} holds something else; name an empty one with --data.`);
  }
  const release = lockDirectory(join(dir, LOCK_FILE));
  if (release === null)
    throw new DirectoryInUse(
      `The data directory ${dir} is in use by another Weft: stop that one, or name another with --data.`,
    );
  try {
    return { ...(await openContents(dir, options)), release };
  } catch (error) {
    release();
    throw error;
  }
}

async function openContents(
  dir: string,
  { hasDatabase, log }: DataDirectoryOptions,
): Promise<Pick<DataDirectory, 'cluster' | 'keys'>> {
  const keysFile = join(dir, KEYS_FILE);
  const keys = await readKeys(keysFile);
  if (!hasDatabase) return { cluster: null, keys: keys ?? (await writeKeys(keysFile, makeKeys())) };

  const found = await findCluster(dir);
  if (keys !== null) {
    if (!found.isFilled) {
      throw new StartError(
        `${dir} has the keys of a database, and ${found.dir} is empty: mount what is missing, restore a backup, or set DATABASE_URL if the database is there.`,
      );
    }
    await refuseFullDisk(dirname(found.dir), MIN_FREE_BYTES);
    return { cluster: found, keys };
  }
  if (found.isFilled) {
    // The first start was killed after it had created the database.
    const draft = await promoteDraftKeys(keysFile);
    if (draft !== null) return { cluster: found, keys: draft };
    throw new StartError(
      `${found.dir} holds a database, and ${keysFile}, its keys, is missing: restore it or a backup.`,
    );
  }
  await refuseFullDisk(dir, NEW_DATABASE_BYTES);
  await makeDraftKeys(keysFile);
  const cluster = await createDataCluster(dir, found, log);
  const newKeys = await promoteDraftKeys(keysFile);
  if (newKeys === null) throw new StartError(`${keysFile} could not be written.`);
  // A directory that lost all its contents looks like a first start. A database elsewhere has a line of its own (cluster-place.ts).
  if (dirname(cluster.dir) === dir) log(`Made a new database in ${dir}.`);
  return { cluster, keys: newKeys };
}

async function makeWritable(dir: string, { hasDatabase }: DataDirectoryOptions): Promise<void> {
  try {
    if (hasDatabase) await makeDirectory(dir);
    else await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const code = systemCode(cause) ?? '';
    const reason =
      code === 'ENOTDIR' || code === 'EEXIST'
        ? 'is not a directory'
        : code === 'ENOSPC'
          ? 'cannot be made: its disk is full'
          : 'cannot be written';
    throw new StartError(`The data directory ${dir} ${reason}; name another with --data.`, { cause });
  }
}

async function refuseFullDisk(dir: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir);
  if (bavail * bsize >= neededBytes) return;
  const [free, needed] = [bavail * bsize, neededBytes].map((bytes) => Math.round(bytes / 1024 ** 2));
  throw new StartError(
    `The disk of ${dir} is full: ${free} MB are free, and Weft needs ${needed} MB to start. Make room.`,
  );
}
