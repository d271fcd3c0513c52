// The bundled PostgreSQL of a data directory, and a temporary one: makes the cluster, checks that this PostgreSQL can
// read it, starts the server on it.
import { chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError, systemCode } from '../start-error.ts';
import { findBinaries } from './binaries.ts';
import { chownTree } from './chown-tree.ts';
import { type ClusterPlace, checkClusterOwner, checkServerMayEnter, chooseClusterPlace } from './cluster-place.ts';
import { createCluster } from './create-cluster.ts';
import { PostgresServer } from './postgres-server.ts';
import { openTmpdir } from './server-access.ts';
import { findServerUser } from './server-user.ts';

/** The version of data that the bundled PostgreSQL reads. */
const POSTGRES_VERSION = '17';

type Log = (line: string) => void;

/** For a first start. Throws a `StartError` if there is no room or no PostgreSQL for this system. */
export async function createDataCluster(dataDir: string, found: ClusterPlace, log: Log): Promise<ClusterPlace> {
  const place = await chooseClusterPlace(dataDir, found, log);
  const { dir, user } = place;
  await createCluster({ dir, user, binaries: await findBinaries(user, dirname(dir)), isDurable: true });
  return { ...place, isFilled: true };
}

/** Throws a `StartError` if the cluster is damaged, of another version, or not this data directory's. */
export async function startDataCluster(dataDir: string, place: ClusterPlace, log: Log): Promise<PostgresServer> {
  const { dir, user } = place;
  await checkVersion(dir);
  await checkClusterOwner(dataDir, place);
  await handOverCopy(place);
  await checkServerMayEnter(dataDir, place);
  return PostgresServer.start({
    clusterDir: dir,
    user,
    binaries: await findBinaries(user, dirname(dir)),
    logFile: join(dataDir, 'postgres.log'),
    isDurable: true,
    log,
  });
}

/** Starts a cluster that never waits for the disk and is removed at the end. `settings` are added to Weft's. */
export async function startTemporaryCluster(log: Log, settings: readonly string[] = []): Promise<PostgresServer> {
  const user = await findServerUser([]);
  const root = await mkdtemp(join(openTmpdir(user), 'weft-memory-'));
  try {
    if (user !== null) await chown(root, user.uid, user.gid);
    const binaries = await findBinaries(user, root);
    const clusterDir = join(root, 'postgres');
    await createCluster({ dir: clusterDir, user, binaries, isDurable: false });
    return await PostgresServer.start({
      clusterDir,
      user,
      binaries,
      logFile: null,
      isDurable: false,
      removedAtEnd: root,
      settings,
      log,
    });
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
}

/** Files that root copied belong to root, and PostgreSQL runs only on those of its own user. */
async function handOverCopy({ dir, user }: ClusterPlace): Promise<void> {
  if (user === null || (await stat(dir)).uid === user.uid) return;
  await chownTree(dir, user).catch((cause: unknown) => {
    if (systemCode(cause) === 'EROFS')
      throw new StartError(`The disk of ${dir} is read-only: mount it for writing.`, { cause });
    throw cause;
  });
}

async function checkVersion(dir: string): Promise<void> {
  const file = join(dir, 'PG_VERSION');
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StartError(
      systemCode(cause) === 'ENOENT'
        ? `The database in ${dir} is damaged: ${file} is missing. Restore a backup into another directory.`
        : `${file} cannot be read by this account.`,
      { cause },
    );
  });
  const found = text.trim();
  if (found === POSTGRES_VERSION) return;
  if (!/^\d+(?:\.\d+)?$/.test(found)) {
    throw new StartError(
      `The database in ${dir} is damaged: ${file} names no version. Restore a backup into another directory.`,
    );
  }
  throw new StartError(
    `${dir} is of PostgreSQL ${found}, and this Weft reads ${POSTGRES_VERSION}. ` +
      `Back it up with the Weft that made it and restore it with this one.`,
  );
}
