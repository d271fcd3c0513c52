// Gives files to the user of PostgreSQL: files that root copied belong to root, and PostgreSQL runs only on its own
// user's.
import { chown, lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerUser } from './server-user.ts';

/** Gives a folder and everything in it to `user`; links themselves, not what they lead to. */
export async function chownTree(dir: string, { uid, gid }: NonNullable<ServerUser>): Promise<void> {
  await chown(dir, uid, gid);
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid);
  }
}
