// The memory of a process and of those it started, as the kernel counts it.
import { readFileSync, readdirSync } from 'node:fs';

/**
 * In MB (10^6 bytes); null where the kernel has no /proc. Memory that processes share, as those of PostgreSQL do, is
 * counted once ("proportional set size").
 */
export function memoryMegabytes(pid: number | null): number | null {
  if (pid === null) return null;
  try {
    const parents = new Map(
      readdirSync('/proc')
        .map(Number)
        .filter(Number.isInteger)
        .map((one) => [one, parentOf(one)]),
    );
    const isBelow = (one: number): boolean => one === pid || isBelowNext(parents.get(one));
    const isBelowNext = (next: number | null | undefined): boolean => next != null && next > 0 && isBelow(next);
    const kilobytes = Array.from(parents.keys(), (one) => (isBelow(one) ? sharedOutKilobytes(one) : 0));
    return (kilobytes.reduce((sum, one) => sum + one, 0) * 1_024) / 1e6;
  } catch {
    return null;
  }
}

/** Null for a process that has ended meanwhile. */
function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

function sharedOutKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
