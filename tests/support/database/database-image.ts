// A database with everything a first start makes, kept as a file: creating one takes PGlite some four seconds, loading one
// takes less than one. The file's name is the hash of all that goes into it, so that it is never out of date.
import { createHash, randomUUID } from 'node:crypto';
import { glob, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS_DIR, openDatabase } from '../../../backend/database.ts';
import { ROOT } from '../../../scripts/root.mjs';

const CACHE_DIR = join(ROOT, 'node_modules/.cache/weft-database');
const INGREDIENTS = [
  'backend/**/*.sql',
  'backend/bootstrap/*.ts',
  'backend/database.ts',
  'backend/migrations.ts',
  'node_modules/@electric-sql/pglite/package.json',
  'node_modules/@supabase/lite/package.json',
];
/** Images of earlier migrations that nobody can still be starting from. */
const STALE_AFTER_MS = 3_600_000;

export async function databaseImage(migrationsDir = MIGRATIONS_DIR): Promise<Blob> {
  return keptImage(await hashIngredients(migrationsDir), async () => {
    const database = await openDatabase({ dir: null, migrationsDir });
    try {
      return await database.image();
    } finally {
      await database.close();
    }
  });
}

/** The image of this name; made when there is none yet. Two that do so at once are harmless. */
export async function keptImage(name: string, make: () => Promise<Blob>): Promise<Blob> {
  const file = join(CACHE_DIR, `${name}.tar`);
  const known = await stat(file).catch(() => null);
  if (known === null) await keep(file, await make());
  // Read at once: a blob on the file breaks when another process makes the same image and renames it into place.
  return new Blob([await readFile(file)]);
}

async function keep(file: string, image: Blob): Promise<void> {
  await mkdir(CACHE_DIR, { recursive: true });
  await removeStaleImages();
  // A name of its own per writer: two of one process wrote into one file once, half of each. And the first one stays:
  // who reads a blob of a file that is replaced meanwhile gets an error.
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, image.stream());
  await link(own, file).catch(ignoreExisting);
  await rm(own);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function removeStaleImages(): Promise<void> {
  for await (const name of glob('*', { cwd: CACHE_DIR })) {
    const { mtimeMs } = await stat(join(CACHE_DIR, name));
    if (Date.now() - mtimeMs > STALE_AFTER_MS) await rm(join(CACHE_DIR, name), { force: true });
  }
}

async function hashIngredients(migrationsDir: string): Promise<string> {
  const files: string[] = [];
  for await (const name of glob(INGREDIENTS, { cwd: ROOT })) files.push(join(ROOT, name));
  for await (const name of glob('*.sql', { cwd: migrationsDir })) files.push(join(migrationsDir, name));
  const hash = createHash('sha256');
  for (const file of files.toSorted())
    hash
      .update(file)
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  return hash.digest('hex').slice(0, 32);
}
