// Moves the temporary files of a test run into memory. Tests make about a hundred databases, of hundreds of files each, and on
// some disks making a file costs a hundred times as much as in memory. The system calls are the same, and so is what survives
// SIGKILL; only a power cut would tell the two apart, and no test cuts the power.
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const MEMORY = '/dev/shm';
const PREFIX = 'weft-tests-';
/** The tests without a browser need a quarter of a gigabyte. The profiles of browsers come on top. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/** The folder for temporary files of a test that needs a disk. Linux has it for files that survive a restart. */
export const diskFolder = (): string => (process.platform === 'linux' ? '/var/tmp' : tmpdir());

/** Does nothing without room in memory, or if TMPDIR names a folder already. */
export function moveTemporaryFiles(): void {
  if (process.env['TMPDIR'] !== undefined || !hasMemory()) return;
  // A run that was killed could not remove its own.
  for (const name of readdirSync(MEMORY)) if (isAbandoned(name)) remove(join(MEMORY, name));
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // As /tmp has it: PostgreSQL may run as another user.
  chmodSync(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.once('exit', () => remove(folder));
}

function hasMemory(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const options = mounts.map((line) => line.split(' ')).findLast(([, dir]) => dir === MEMORY)?.[3];
    // Tests run programs from temporary folders, and containers often forbid that there.
    if (options === undefined || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES;
  } catch {
    return false;
  }
}

function isAbandoned(name: string): boolean {
  if (!name.startsWith(PREFIX)) return false;
  try {
    process.kill(Number(name.slice(PREFIX.length)), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** A process that a test killed may still write for a moment. What cannot be removed now is removed by the next run. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    // The next run removes it.
  }
}
