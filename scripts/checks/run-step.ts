// Runs one check and prints its result.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { ROOT } from '../root.mjs';
import type { Step } from './steps.ts';

/** Returns whether the check passed. Shows its output only when it failed. */
export function runStep(step: Step): boolean {
  const started = performance.now();
  const run = spawnSync(process.execPath, [step.program, ...step.args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const passed = run.status === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${passed ? '✓' : '✗'} ${step.name}: ${step.proves} (${seconds} s)\n`);
  if (!passed) process.stdout.write(`${run.stdout}${run.stderr}${run.error?.message ?? ''}\n`);
  return passed;
}
