// If Node and its watchdog were both killed, PostgreSQL goes on without them. The next start ends it before it starts
// its own. The caller holds the lock of the data directory: no other Weft uses that server.
import { execFileSync } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import { SOCKET_DIRECTORY_PREFIX } from './server-access.ts';

/** An orderly end writes what is in memory to the disk; the other leaves that to the next start. */
const ORDERLY_MS = 30_000;
const IMMEDIATE_MS = 10_000;
const POLL_MS = 20;
const SOCKET_LINE = 4;

/** Throws a `StartError` if it does not end. */
export async function endServerLeftBehind(clusterDir: string): Promise<void> {
  const pidFile = join(clusterDir, 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch(() => null);
  const pid = Number.parseInt(text ?? '', 10);
  if (!Number.isInteger(pid) || !isAlive(pid)) return;
  // After a restart of the machine or the container the number can belong to any other process, and PostgreSQL would
  // refuse to start if it belongs to one of the same user.
  if (!(await isServerOf(pid, clusterDir))) return rm(pidFile, { force: true });
  for (const [signal, patienceMs] of [
    ['SIGINT', ORDERLY_MS],
    ['SIGQUIT', IMMEDIATE_MS],
  ] as const) {
    process.kill(pid, signal);
    if (await hasEnded(pid, clusterDir, patienceMs)) return removeSocketDirectory(text ?? '');
  }
  throw new StartError(
    `PostgreSQL (process ${pid}) still runs on ${clusterDir} and does not end: end it, then start Weft.`,
  );
}

/** Removes the socket directory of a server that has ended. The fifth line of its pid file names it. */
async function removeSocketDirectory(pidFile: string): Promise<void> {
  const dir = pidFile.split('\n')[SOCKET_LINE] ?? '';
  if (basename(dir).startsWith(SOCKET_DIRECTORY_PREFIX)) await rm(dir, { recursive: true, force: true });
}

async function hasEnded(pid: number, clusterDir: string, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  // Not by the number alone: a container without an init process keeps the numbers of processes that have ended.
  while (await isServerOf(pid, clusterDir)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL's working directory is its cluster. Linux alone shows it without another program. */
async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'linux') {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null);
    return cwd === (await realpath(clusterDir));
  }
  try {
    if (process.platform === 'win32') return run('tasklist', '/FI', `PID eq ${pid}`).includes('postgres.exe');
    return run('ps', '-p', String(pid), '-o', 'command=').includes(clusterDir);
  } catch {
    return false;
  }
}

const run = (program: string, ...args: readonly string[]): string => execFileSync(program, args, { encoding: 'utf8' });
