// The project's secrets: the two API keys and what access tokens are signed with. Made at the first start and kept in the
// data directory, readable by its owner alone.
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { StartError, systemCode } from '../start-error.ts';

export type Keys = {
  /** For browsers: requests run as `anon` until somebody signs in. */
  readonly anonKey: string;
  /** For scripts: requests run as `service_role`, which passes row level security. */
  readonly serviceRoleKey: string;
  /** HS256 secret of the access tokens. */
  readonly jwtSecret: string;
};

const keysSchema = v.object({
  anonKey: v.pipe(v.string(), v.startsWith('sb_publishable_')),
  serviceRoleKey: v.pipe(v.string(), v.startsWith('sb_secret_')),
  jwtSecret: v.pipe(v.string(), v.minLength(32)),
});

export async function makeKeys(): Promise<Keys> {
  // Needed once in a directory's life, and slow to load.
  const { generateApiKey } = await import('@supabase/lite');
  const [publishable, secret] = await Promise.all([generateApiKey('publishable'), generateApiKey('secret')]);
  return { anonKey: publishable.key, serviceRoleKey: secret.key, jwtSecret: randomBytes(48).toString('base64url') };
}

/** The keys kept in `file`; makes them when it is missing. Throws a `StartError` when it does not hold keys. */
export async function loadKeys(file: string): Promise<Keys> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text !== null) return parseKeys(text, file);
  const keys = await makeKeys();
  // Renamed into place: a start killed half way must not leave a file that no later start can read.
  await writeFile(`${file}.new`, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return keys;
}

function parseKeys(text: string, file: string): Keys {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = null;
  }
  const parsed = v.safeParse(keysSchema, content);
  if (!parsed.success) throw new StartError(`${file} does not hold this project’s keys.`);
  return parsed.output;
}
