// The project's two API keys, and the secret that signs access tokens. The first start makes them and stores them in
// the data directory, if there is one, readable only by its owner.
import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import * as v from 'valibot';
import { parseJsonOrNull } from '../../src/lib/parse-or-null.ts';
import { StartError, systemCode } from '../start-error.ts';

export type Keys = {
  /** For browsers: requests run as `anon` until the user signs in. */
  readonly anonKey: string;
  /** For scripts: requests run as `service_role`, which bypasses row level security. */
  readonly serviceRoleKey: string;
  /** The HS256 secret of access tokens. */
  readonly jwtSecret: string;
};

const keysSchema = v.object({
  anonKey: v.pipe(v.string(), v.startsWith('sb_publishable_')),
  serviceRoleKey: v.pipe(v.string(), v.startsWith('sb_secret_')),
  jwtSecret: v.pipe(v.string(), v.minLength(32)),
});

export const makeKeys = (): Keys => ({
  anonKey: `sb_publishable_${randomText(24)}`,
  serviceRoleKey: `sb_secret_${randomText(24)}`,
  jwtSecret: randomText(48),
});

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** The keys in `file`; null if there is no such file. Throws a `StartError` if it does not hold keys. */
export async function readKeys(file: string): Promise<Keys | null> {
  const text = await readText(file);
  if (text === null) return null;
  const keys = parseKeys(text);
  if (keys === null) throw new StartError(`${file} does not hold this project’s keys: restore it or a backup.`);
  return keys;
}

export async function writeKeys(file: string, keys: Keys): Promise<Keys> {
  await writeDraft(file, keys);
  await rename(draftOf(file), file);
  return keys;
}

/** Writes new keys to the draft of `file`, unless a killed start or a restore has left valid keys there. */
export async function makeDraftKeys(file: string): Promise<void> {
  const text = await readText(draftOf(file));
  if (text === null || parseKeys(text) === null) await writeDraft(file, makeKeys());
}

/** Renames the draft to `file` once there is a database for it. Null if there is no draft. */
export async function promoteDraftKeys(file: string): Promise<Keys | null> {
  const text = await readText(draftOf(file));
  const keys = text === null ? null : parseKeys(text);
  if (keys !== null) await rename(draftOf(file), file);
  return keys;
}

/** Drafts are renamed into place, so that a killed start leaves no file that later starts cannot read. */
const draftOf = (file: string): string => `${file}.new`;

/** Writes keys that wait for their database to the draft of `file`. */
export async function writeDraft(file: string, keys: Keys): Promise<void> {
  const handle = await open(draftOf(file), 'w', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(keys, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const readText = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw new StartError(`${file} cannot be read: ${systemCode(error) ?? String(error)}. Restore it or a backup.`, {
      cause: error,
    });
  });

export const parseKeys = (text: string): Keys | null => parseJsonOrNull(keysSchema, text);
