// `weft …` in its own process: its output so far, and how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { vi } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';

const WITHIN_MS = 30_000;

export class WeftCommand {
  static readonly #running = new Set<WeftCommand>();
  readonly child: ChildProcess;
  readonly #closed: Promise<unknown>;
  stdout = '';
  stderr = '';

  constructor(
    args: readonly string[],
    { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
  ) {
    this.child = spawn(process.execPath, [join(ROOT, 'scripts/weft.mjs'), ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.#closed = once(this.child, 'close');
    this.child.stdin?.end(input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    WeftCommand.#running.add(this);
  }

  static async stopAll(): Promise<void> {
    await Promise.all(Array.from(WeftCommand.#running, (one) => one.end('SIGKILL')));
  }

  /** Waits until it has the page, and the server sends it changes. */
  async live(): Promise<void> {
    await this.#until(() => this.stderr.includes('Live:'));
  }

  async prints(text: string | RegExp): Promise<void> {
    await this.#until(() => (typeof text === 'string' ? this.stdout.includes(text) : text.test(this.stdout)));
  }

  /** The objects that `--json` has printed. Every line must be whole. */
  objects(): readonly Record<string, unknown>[] {
    if (this.stdout !== '' && !this.stdout.endsWith('\n')) throw new Error('half a line');
    const lines = this.stdout.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Waits until it ends by itself, or ends it. Resolves with the exit code; null if the signal ended it. */
  async end(signal?: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    if (signal !== undefined) this.child.kill(signal);
    await this.#closed;
    WeftCommand.#running.delete(this);
    return this.child.exitCode;
  }

  async #until(isTrue: () => boolean): Promise<void> {
    try {
      await vi.waitUntil(isTrue, { timeout: WITHIN_MS, interval: 20 });
    } catch {
      throw new Error(`it printed ${JSON.stringify([this.stdout.slice(-2_000), this.stderr.slice(-2_000)])}`);
    }
  }
}
