// Chooses where the files of the bundled PostgreSQL live: in the data directory, or elsewhere if the user who runs
// PostgreSQL for root cannot enter it. Then a file in the data directory names the place, so that the next start finds
// it again.
import { createHash } from 'node:crypto';
import { chown, mkdir, readFile, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StartError, systemCode } from '../start-error.ts';
import { MODE_MADE_BY_ROOT } from './make-directory.ts';
import { type ServerUser, canEnter, findServerUser } from './server-user.ts';

export type ClusterPlace = {
  /** The data directory of PostgreSQL ("cluster"). */
  readonly dir: string;
  readonly user: ServerUser;
  /** Whether something is in it. */
  readonly isFilled: boolean;
};

/** In the data directory: the path of a cluster that lies elsewhere. */
const POINTER_FILE = 'postgres-path';
/** Beside such a cluster: the path of the data directory that it belongs to. */
const OWNER_FILE = 'weft-data-path';
const ELSEWHERE = '/var/lib/weft';

/**
 * Where the cluster of `dataDir` is or would be. Throws a `StartError` if it cannot be read or there is no user to run
 * it.
 */
export async function findCluster(dataDir: string): Promise<ClusterPlace> {
  const pointer = await readText(join(dataDir, POINTER_FILE));
  const dir = pointer ?? join(dataDir, 'postgres');
  const isFilled = await hasEntries(dir);
  return { dir, user: await findServerUser([dir, dataDir]), isFilled };
}

/**
 * Chooses where a first start makes its cluster. Calls `log` with one line if that is not in the data directory.
 * A folder that only root may enter is never opened for others.
 */
export async function chooseClusterPlace(
  dataDir: string,
  found: ClusterPlace,
  log: (line: string) => void,
): Promise<ClusterPlace> {
  const { user } = found;
  if (canEnter(user, dataDir)) return found;
  const owner = await realpath(dataDir);
  const parent = join(ELSEWHERE, `${basename(owner)}-${createHash('sha256').update(owner).digest('hex').slice(0, 8)}`);
  const elsewhere = { ...found, dir: join(parent, 'postgres') };
  const name = user?.name ?? '';
  try {
    await mkdir(parent, { recursive: true, mode: 0o755 });
    await writeFile(join(parent, OWNER_FILE), `${owner}\n`);
  } catch (cause) {
    throw new StartError(`PostgreSQL runs as ${name}, which may enter neither ${dataDir} nor ${parent}.`, { cause });
  }
  if (!canEnter(user, parent)) {
    throw new StartError(`PostgreSQL runs as ${name}, which may enter neither ${dataDir} nor ${parent}.`);
  }
  if (await hasEntries(elsewhere.dir)) {
    throw new StartError(`${elsewhere.dir} holds a database already, which ${dataDir} does not name.`);
  }
  await writeFile(join(dataDir, `${POINTER_FILE}.new`), `${elsewhere.dir}\n`);
  await rename(join(dataDir, `${POINTER_FILE}.new`), join(dataDir, POINTER_FILE));
  log(`PostgreSQL runs as ${name}, which may not enter ${dataDir}: its database is in ${elsewhere.dir}.`);
  return elsewhere;
}

/**
 * A copied data directory still names the cluster of the one it was copied from: throws a `StartError` unless `dataDir`
 * is the owner, or was moved to where it is now.
 */
export async function checkClusterOwner(dataDir: string, { dir }: ClusterPlace): Promise<void> {
  const file = join(dirname(dir), OWNER_FILE);
  const [owner, own] = [await readText(file), await realpath(dataDir)];
  if (owner === null || owner === own) return;
  if ((await readText(join(owner, POINTER_FILE))) === dir) {
    throw new StartError(
      `The database in ${dir} belongs to ${owner}, of which ${dataDir} is a copy; use npm run backup to copy data.`,
    );
  }
  await writeFile(file, `${own}\n`);
}

/**
 * A copy of the data directory that root made, for example with `cp -r`, has the mode that Weft gave the original, but
 * root's group: gives it back to the group of PostgreSQL's user. Throws a `StartError` if that user may not enter the
 * cluster then; no mode is changed.
 */
export async function checkServerMayEnter(dataDir: string, { dir, user }: ClusterPlace): Promise<void> {
  if (user === null || canEnter(user, dir)) return;
  const { mode, gid } = await stat(dataDir);
  if ((mode & 0o777) === MODE_MADE_BY_ROOT && gid === 0) await chown(dataDir, 0, user.gid);
  if (canEnter(user, dir)) return;
  throw new StartError(
    `PostgreSQL runs as ${user.name}, which may not enter ${dirname(dir)}: let this user pass, or restore a backup into another directory.`,
  );
}

/** Removes the cluster of a data directory that is given up, if it lies elsewhere. */
export async function removeClusterElsewhere(dataDir: string): Promise<void> {
  const dir = await readText(join(dataDir, POINTER_FILE));
  if (dir !== null) await rm(dirname(dir), { recursive: true, force: true });
}

async function readText(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  return text?.trim() ?? null;
}

async function hasEntries(dir: string): Promise<boolean> {
  try {
    return (await readdir(dir)).length > 0;
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return false;
    if (systemCode(cause) === 'ENOTDIR') throw new StartError(`${dir} is not a directory.`, { cause });
    throw new StartError(`${dir} cannot be read by this account.`, { cause });
  }
}
