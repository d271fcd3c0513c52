// Chooses the system user who runs PostgreSQL, because PostgreSQL refuses to run as root. Started as root, Weft runs it
// as another user; otherwise as the user who started Weft.
import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import process from 'node:process';
import { StartError } from '../start-error.ts';

/** Null: the user who runs Weft. */
export type ServerUser = { readonly uid: number; readonly gid: number; readonly name: string } | null;

const ROOT_UID = 0;
export const isRoot = process.getuid?.() === ROOT_UID;
/** Tried in this order. `nobody` exists in nearly every system and container image. */
const CANDIDATES = ['postgres', 'nobody'];

/** The owner of the first of `dirs` that exists and is not root's, else one of the system's unprivileged users. */
export async function findServerUser(dirs: readonly string[]): Promise<ServerUser> {
  if (!isRoot) return null;
  const users = await readUsers();
  for (const dir of dirs) {
    const found = await stat(dir).catch(() => null);
    if (found === null || found.uid === ROOT_UID) continue;
    const name = users.find(({ uid }) => uid === found.uid)?.name ?? String(found.uid);
    return { uid: found.uid, gid: found.gid, name };
  }
  const user = CANDIDATES.map((name) => users.find((one) => one.name === name)).find((one) => one !== undefined);
  if (user !== undefined) return user;
  throw new StartError(
    'PostgreSQL does not run as root, and this system has neither a user postgres nor a user nobody: start Weft as another user, or set DATABASE_URL.',
  );
}

/** Asks the system instead of comparing modes: access lists and mounts count as well. */
export function canEnter(user: ServerUser, dir: string): boolean {
  return user === null || spawnSync('/bin/sh', ['-c', 'cd "$0"', dir], { ...runAs(user), cwd: '/' }).status === 0;
}

/** For `spawn`. Node drops the supplementary groups as well. */
export const runAs = (user: ServerUser): { readonly uid?: number; readonly gid?: number } =>
  user === null ? {} : { uid: user.uid, gid: user.gid };

async function readUsers(): Promise<readonly NonNullable<ServerUser>[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name === undefined || gid === undefined ? [] : [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
