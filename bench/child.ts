// Runs a child process. Its answer is the first line of its standard output that begins with `{`; other lines, which
// libraries print, go to standard error.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

export class Child {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #line: Promise<string>;

  constructor(file: string, args: readonly string[] = [], nodeFlags: readonly string[] = []) {
    const child = spawn(process.execPath, [...nodeFlags, join(import.meta.dirname, file), ...args], {
      // As `npm start` sets it.
      env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '1048576' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#exited = once(child, 'close');
    process.setMaxListeners(0);
    process.once('exit', () => child.kill());
    this.#line = new Promise((resolve, reject) => {
      const lines = createInterface({ input: child.stdout });
      lines.on('line', (line) => (line.startsWith('{') ? resolve(line) : process.stderr.write(`${line}\n`)));
      child.on('close', (code) => reject(new Error(`${file} ended with ${code} before it had answered`)));
    });
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  async answer(): Promise<unknown> {
    return JSON.parse(await this.#line);
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#exited;
  }
}
