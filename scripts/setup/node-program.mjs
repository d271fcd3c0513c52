// Which Node runs Weft. The machine's may be older than the code needs, so one is installed as a package.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../root.mjs';

const NEEDED = [22, 22];

const INSTALLED = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The program of a Node that runs TypeScript unbuilt: the installed one, else the machine's when it is new enough.
 * @returns {string | null}
 */
export function nodeProgram() {
  if (existsSync(INSTALLED)) return INSTALLED;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needsMajor = 0, needsMinor = 0] = NEEDED;
  return major > needsMajor || (major === needsMajor && minor >= needsMinor) ? process.execPath : null;
}
