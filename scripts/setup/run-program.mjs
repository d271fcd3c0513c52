// Runs a program to its end without blocking, so that a progress line can count meanwhile.
import { spawn } from 'node:child_process';
import { ROOT } from '../root.mjs';

/**
 * A program that could not be started has the status null.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
export function runProgram(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
    child.on('error', ({ message }) => resolve({ status: null, stdout: '', stderr: message }));
    child.on('close', (status) => resolve({ status, ...output }));
  });
}
