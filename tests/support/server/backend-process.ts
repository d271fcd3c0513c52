// The command `backend/cli.ts` in its own process: its output, and the code with which it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../../../scripts/root.mjs';

const READY_WITHIN_MS = 60_000;

export class BackendProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], options: { readonly cwd?: string } = {}) {
    this.#child = spawn(process.execPath, [join(ROOT, 'backend/cli.ts'), ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = once(this.#child, 'close');
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
  }

  /** Resolves with the first whole line of standard output. */
  async line(): Promise<string> {
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!this.stdout.includes('\n')) {
      if (this.#child.exitCode !== null || Date.now() > deadline) throw new Error(`no line: ${this.stderr}`);
      await delay(20);
    }
    return this.stdout.slice(0, this.stdout.indexOf('\n'));
  }

  /** Waits until it ends by itself or by `signal`. Resolves with the exit code, or null if a signal ended it. */
  async end(signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    if (signal !== undefined) this.#child.kill(signal);
    await this.#exited;
    return this.#child.exitCode;
  }
}
