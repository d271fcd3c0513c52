// The memory of a process, as the kernel counts it.
import { readFileSync } from 'node:fs';

/** Resident memory in MB (10^6 bytes); null where the kernel has no /proc. */
export function residentMegabytes(pid: number | null): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : (Number(kilobytes) * 1_024) / 1e6;
  } catch {
    return null;
  }
}
