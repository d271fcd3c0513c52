// How clients reach the bundled PostgreSQL: by a Unix socket in a folder that only its user (and root) may enter, because
// anyone who reaches the socket is a superuser of the database. Windows has no such folders: there by a port of the loopback
// address, with a password.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { assert } from '../../src/lib/assert.ts';
import { type ServerUser, canEnter } from './server-user.ts';

export type ServerAccess = {
  /** The address for `psql`, node-postgres and other clients. */
  readonly url: string;
  /** The options with which PostgreSQL starts. */
  readonly settings: readonly string[];
  /** The folder of the socket, to be removed when PostgreSQL has ended. Null without a socket. */
  readonly socketDir: string | null;
};

/** The name is not `postgres`, because on a hosted project that role is no superuser. */
export const SUPERUSER = 'supabase_admin';
const DATABASE = 'postgres';
export const SOCKET_DIRECTORY_PREFIX = 'weft-pg-';
/** The path of a socket has at most 103 bytes on macOS, 107 on Linux; PostgreSQL adds ".s.PGSQL.5432.lock". */
const LONGEST_TMPDIR = 70;

const hasSockets = process.platform !== 'win32';

/** Arguments for `initdb`: how a new cluster authenticates clients. Writes the password, if there is one, beside the cluster. */
export async function authenticationOf(clusterDir: string): Promise<readonly string[]> {
  if (hasSockets) return ['--auth=trust'];
  const file = passwordFile(clusterDir);
  await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return ['--auth=scram-sha-256', `--pwfile=${file}`];
}

/** Prepares the access for one start of a server. */
export async function openAccess(clusterDir: string, user: ServerUser): Promise<ServerAccess> {
  if (!hasSockets) return openLoopback(clusterDir);
  // The cluster's own path could be too long for a socket.
  const socketDir = await mkdtemp(join(openTmpdir(user), SOCKET_DIRECTORY_PREFIX));
  if (user !== null) await chown(socketDir, user.uid, user.gid);
  return {
    // The folder is a parameter, because the host of a URL cannot be a path.
    url: `postgresql://${SUPERUSER}@localhost/${DATABASE}?host=${encodeURIComponent(socketDir)}`,
    settings: ['listen_addresses=', `unix_socket_directories=${socketDir}`],
    socketDir,
  };
}

/**
 * TMPDIR may lie where the user of PostgreSQL cannot go, as below root's home, or be too long for the path of a socket.
 */
export const openTmpdir = (user: ServerUser): string =>
  tmpdir().length <= LONGEST_TMPDIR && canEnter(user, tmpdir()) ? tmpdir() : '/tmp';

async function openLoopback(clusterDir: string): Promise<ServerAccess> {
  const password = await readFile(passwordFile(clusterDir), 'utf8');
  const port = await freePort();
  return {
    url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`,
    settings: ['listen_addresses=127.0.0.1', `port=${port}`],
    socketDir: null,
  };
}

const passwordFile = (clusterDir: string): string => `${clusterDir}-password`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object', 'the server listens on a port');
  server.close();
  await once(server, 'close');
  return address.port;
}
