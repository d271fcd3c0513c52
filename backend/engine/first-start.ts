// Gap: killed while it creates a database, PGlite 0.4.5 leaves a directory that no later start can open (`ErrnoError 20`).
// The database is created beside its place and renamed into it when it is complete.
import { access, rename, rm } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';

/** Makes `dir` a database unless it is one. The caller holds the directory lock. */
export async function createDatabaseOnce(dir: string): Promise<void> {
  const exists = await access(dir).then(
    () => true,
    () => false,
  );
  if (exists) return;
  const draft = `${dir}.new`;
  await rm(draft, { recursive: true, force: true });
  const pg = await PGlite.create(draft);
  await pg.close();
  await rename(draft, dir);
}
