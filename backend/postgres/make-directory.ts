// Makes directories in which PostgreSQL can have its files, also where root makes them and PostgreSQL runs as another user.
import { chown, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ServerUser, findServerUser, isRoot } from './server-user.ts';

/** PostgreSQL's group may pass, but not read. */
export const MODE_MADE_BY_ROOT = 0o710;

/**
 * Makes `dir` and the missing folders above it, each for its owner only. Made by root, they also let the group of
 * PostgreSQL's user pass, but not read. Never changes a folder that exists. Returns the first folder it made, if any.
 * Throws a `StartError` if PostgreSQL cannot run here.
 */
export async function makeDirectory(dir: string, serverUser?: ServerUser): Promise<string | undefined> {
  const path = resolve(dir);
  if (!isRoot) return mkdir(path, { recursive: true, mode: 0o700 });
  const first = await mkdir(path, { recursive: true, mode: MODE_MADE_BY_ROOT });
  if (first === undefined) return undefined;
  const user = serverUser ?? (await findServerUser([]));
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    // On a file system without groups, PostgreSQL's user may not pass, and the database goes elsewhere.
    if (user !== null) await chown(made, 0, user.gid).catch(() => {});
  }
  return first;
}
