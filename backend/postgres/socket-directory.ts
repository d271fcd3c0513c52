// The folder of the bundled PostgreSQL's socket: a new one for each start, which only the user of PostgreSQL (and root)
// may enter, because whoever reaches the socket is a superuser of the database.
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerUser, canEnter } from './server-user.ts';

/** The path of a socket has at most 103 bytes on macOS, 107 on Linux; PostgreSQL adds ".s.PGSQL.5432.lock". */
const LONGEST_PATH = 80;
export const SOCKET_DIRECTORY_PREFIX = 'weft-pg-';

/** A path in the data directory could be too long for a socket. */
export async function makeSocketDirectory(user: ServerUser): Promise<string> {
  const dir = await mkdtemp(join(openTmpdir(user), SOCKET_DIRECTORY_PREFIX));
  if (user !== null) await chown(dir, user.uid, user.gid);
  return dir;
}

/** TMPDIR may lie where the user of PostgreSQL cannot go, as below root's home. */
export const openTmpdir = (user: ServerUser): string =>
  tmpdir().length < LONGEST_PATH && canEnter(user, tmpdir()) ? tmpdir() : '/tmp';
