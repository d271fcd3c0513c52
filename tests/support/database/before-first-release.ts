// The 80 migrations that Weft had before its first release, for databases and backups of that time.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import * as v from 'valibot';

const form = v.record(v.string(), v.string());

/** By the name of the file. */
export async function migrationsFromBefore(): Promise<Readonly<Record<string, string>>> {
  const packed = await readFile(join(import.meta.dirname, 'before-first-release.json.br'));
  return v.parse(form, JSON.parse(brotliDecompressSync(packed).toString()));
}

/** Writes them into `dir`, which is made. */
export async function writeMigrationsFromBefore(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const [name, sql] of Object.entries(await migrationsFromBefore())) await writeFile(join(dir, name), sql);
}
