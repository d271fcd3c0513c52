// Finds the Node that runs Weft: the machine's own may be too old, so one comes as a package.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../root.mjs';

const MIN_VERSION = [22, 22];

const INSTALLED = join(ROOT, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The path of a Node that runs TypeScript without a build: the installed one, else this one when it is new enough.
 * @returns {string | null}
 */
export function nodeProgram() {
  if (existsSync(INSTALLED)) return INSTALLED;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = MIN_VERSION;
  return major > minMajor || (major === minMajor && minor >= minMinor) ? process.execPath : null;
}
