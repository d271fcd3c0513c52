// Describes a backup: the manifest, and which entry of the tar file holds what.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

/** Raised when older versions of Weft could not restore the backup: they refuse a higher format than their own. */
export const BACKUP_FORMAT = 1;

/** Shown on a terminal. */
const shortText = v.pipe(v.string(), v.regex(/^[\x20-\x7E]{0,100}$/));

export const manifestSchema = v.object({
  kind: v.literal('weft-backup'),
  format: v.number(),
  /** The version of Weft. */
  weft: shortText,
  /** ISO 8601. */
  createdAt: shortText,
  /** The version of PostgreSQL, such as "17.5". */
  postgres: shortText,
  /** The versions of the applied migrations, oldest first. */
  migrations: v.array(v.pipe(v.string(), v.regex(/^\d{1,20}$/))),
  /** How many stored files the backup has. */
  files: v.number(),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

const storedFileSchema = v.object({
  bucket: v.string(),
  name: v.string(),
  version: v.pipe(v.string(), v.uuid()),
  mimetype: v.nullable(v.string()),
  cacheControl: v.nullable(v.string()),
});

/** The content of `files.json`: which object each file is, for an upload to another Storage. */
export const storedFilesSchema = v.array(storedFileSchema);
export type StoredObject = v.InferOutput<typeof storedFileSchema>;

export const ENTRIES = {
  manifest: 'manifest.json',
  keys: 'keys.json',
  /** Accounts for a hosted project. */
  users: 'users.sql',
  /** The whole auth schema, for this backend. */
  auth: 'auth.sql',
  /** Weft's tables and Storage's rows, for both. */
  data: 'data.sql',
  files: 'files.json',
} as const;

/** The beginning of the entry's name: the migration's name and ".sql" follow. */
export const migrationEntry = (version: string): string => `migrations/${version}_`;
export const fileEntry = (version: string): string => `files/${version}`;

const packageSchema = v.object({ version: v.string() });

export async function weftVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
  return v.parse(packageSchema, JSON.parse(text)).version;
}
