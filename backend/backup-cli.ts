// `npm run backup` and `npm run restore`: reads the options and reports the outcome in one sentence.
import { access, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isDiskFull } from './backup/disk-full.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { requestBackup } from './backup/running-backend.ts';
import { uploadFiles } from './backup/upload-files.ts';
import { writeBackup } from './backup/write-backup.ts';
import { DirectoryInUse } from './data-directory/data-directory.ts';
import { MIGRATIONS_DIR, openDatabase } from './database.ts';
import { findCluster } from './postgres/cluster-place.ts';
import { StartError } from './start-error.ts';
import { readEnvironment } from './start/environment.ts';

const USAGE = `Usage:
  npm run backup -- FILE [--data DIR]      writes everything into one file, whether Weft is running or not
  npm run restore -- FILE [--data DIR]     restores it into an empty directory; with --final for good: devices put back
                                           nothing that the backup lacks
  npm run restore -- FILE --files-to URL   uploads the files to a Supabase project (SUPABASE_SERVICE_ROLE_KEY is its
                                           service key); docs/backup.md describes how to move the database

--data is ./data by default. If Weft uses your own PostgreSQL, set DATABASE_URL as for npm start. A backup contains the secret keys and all documents: protect it like the data directory.
`;

const OPTIONS = {
  data: { type: 'string' },
  final: { type: 'boolean' },
  'files-to': { type: 'string' },
  help: { type: 'boolean' },
} as const;

async function main(args: readonly string[], signal: AbortSignal): Promise<string> {
  const { values, positionals } = parseOptions(args);
  const [command, name, ...rest] = positionals;
  if (values.help === true) return USAGE;
  if (name === undefined || rest.length > 0 || (command !== 'backup' && command !== 'restore')) {
    throw new StartError(USAGE.trimEnd());
  }
  const file = resolve(name);
  const dir = resolve(values.data ?? 'data');
  const url = values['files-to'];
  const isFinal = values.final ?? false;
  if (isFinal && (command === 'backup' || url !== undefined)) throw new StartError(USAGE.trimEnd());
  if (command === 'backup') return backUp(file, dir, signal);
  if (url !== undefined) return uploadToSupabase(file, url, signal);
  if (readEnvironment(process.env).databaseUrl !== undefined) {
    throw new StartError('A backup is restored into a directory, not into the PostgreSQL of DATABASE_URL: unset it.');
  }
  const { createdAt, migrations } = await restoreBackup(file, { dir, migrationsDir: MIGRATIONS_DIR, isFinal, signal });
  return `${dir} is restored to the state of ${createdAt} (${migrations.length} migrations). Start it as usual.\n`;
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw new StartError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function backUp(file: string, dir: string, signal: AbortSignal): Promise<string> {
  if (await exists(file)) throw new StartError(`${file} already exists; a backup never overwrites a file.`);
  if (!(await exists(join(dir, 'keys.json')))) throw new StartError(`There is no data in ${dir}.`);
  // The file gets its name when it is complete.
  const draft = `${file}.part`;
  await rm(draft, { force: true });
  try {
    if (!(await write(draft, dir, signal))) await requestBackup(dir, draft, signal);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    signal.throwIfAborted();
    throw isDiskFull(error)
      ? new StartError(`The disk of ${dirname(file)} is full: there is no room for a backup.`)
      : error;
  }
  return `${file} holds everything in ${dir}.\n`;
}

/** Returns false when another process has the directory open: that process writes the backup then. */
async function write(target: string, dir: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { databaseUrl } = readEnvironment(process.env);
    if (databaseUrl === undefined && !(await findCluster(dir)).isFilled) {
      throw new StartError(`There is no database in ${dir}. If Weft uses your own PostgreSQL, set DATABASE_URL.`);
    }
    const database = await openDatabase({ dir, databaseUrl, migrationsDir: null });
    try {
      await writeBackup({ engine: database.pg, files: database.files, keys: database.keys }, target, signal);
    } finally {
      await database.close();
    }
    return true;
  } catch (error) {
    if (error instanceof DirectoryInUse) return false;
    throw error;
  }
}

async function uploadToSupabase(file: string, url: string, signal: AbortSignal): Promise<string> {
  const serviceRoleKey = process.env['SUPABASE_SERVICE_ROLE_KEY'] ?? '';
  if (serviceRoleKey === '') throw new StartError('SUPABASE_SERVICE_ROLE_KEY is missing.');
  const count = await uploadFiles(file, { url, serviceRoleKey }, signal);
  return `Uploaded ${count} files to ${url}.\n`;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** Aborts when someone stops the command, which then removes what it has written. Further signals change nothing. */
function stopOnSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => controller.abort(new StartError('Interrupted: nothing was written.')));
  }
  return controller.signal;
}

await main(process.argv.slice(2), stopOnSignals()).then(
  (message) => {
    process.stdout.write(message);
    process.exit(0);
  },
  (error: unknown) => {
    const message = error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${message}\n`);
    process.exit(1);
  },
);
