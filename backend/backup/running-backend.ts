// Gets a backup from a running backend, since only that process may open its database. Its data directory holds its
// address and the service key, which proves that the caller may read everything.
import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { readKeys } from '../keys/keys.ts';
import { StartError, systemCode } from '../start-error.ts';

export const BACKUP_PATH = '/__backup';

const ADDRESS_FILE = 'running.json';
const addressSchema = v.object({ url: v.string() });

/**
 * Writes where this backend, and its database for `psql`, can be reached. Returns a function that removes the file
 * again.
 */
export async function writeAddressFile(
  dir: string,
  address: { url: string; dbUrl: string },
): Promise<() => Promise<void>> {
  const file = join(dir, ADDRESS_FILE);
  await writeFile(file, `${JSON.stringify(address)}\n`, { mode: 0o600 });
  return () => rm(file, { force: true });
}

/**
 * Requests a backup from the backend that uses `dir` and writes it to `target`, which must not exist. Throws a
 * `StartError`.
 */
export async function requestBackup(dir: string, target: string, signal: AbortSignal): Promise<void> {
  const { url } = await addressOf(dir);
  const keys = await readKeys(join(dir, 'keys.json'));
  if (keys === null) throw new StartError(`There is no data in ${dir}.`);
  const unreachable = `The Weft on ${dir} does not answer at ${url}.`;
  const response = await fetch(new URL(BACKUP_PATH, url), {
    headers: { authorization: `Bearer ${keys.serviceRoleKey}` },
    signal,
  }).catch((cause: unknown) => {
    throw new StartError(unreachable, { cause });
  });
  if (!response.ok || response.body === null) {
    throw new StartError(`The Weft on ${dir} made no backup: ${(await response.text()).slice(0, 300)}`);
  }
  try {
    await pipeline(response.body, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (cause) {
    await rm(target, { force: true });
    throw new StartError(`The backup broke off: ${String(cause)}`, { cause });
  }
}

async function addressOf(dir: string): Promise<v.InferOutput<typeof addressSchema>> {
  try {
    return v.parse(addressSchema, JSON.parse(await readFile(join(dir, ADDRESS_FILE), 'utf8')));
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT' && !(cause instanceof SyntaxError)) throw cause;
    throw new StartError(`Another Weft is starting or stopping on ${dir}; try again.`, { cause });
  }
}
