// The memory of a process and its descendants, as the kernel counts it.
import { readFileSync, readdirSync } from 'node:fs';

/**
 * In MB (10^6 bytes); null where the kernel has no /proc. Memory that processes share, as those of PostgreSQL do, counts
 * once ("proportional set size").
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
    const belongs = (one: number): boolean => {
      if (one === pid) return true;
      const parent = parents.get(one) ?? 0;
      return parent > 0 && belongs(parent);
    };
    const kilobytes = Array.from(parents.keys(), (one) => (belongs(one) ? proportionalSetKilobytes(one) : 0));
    return (kilobytes.reduce((sum, one) => sum + one, 0) * 1_024) / 1e6;
  } catch {
    return null;
  }
}

/** Null for a process that has just ended. */
function parentOf(pid: number): number | null {
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

function proportionalSetKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
