// A process of the bench: one line of JSON on its standard output is its answer.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';

export class Child {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #line: Promise<string>;

  constructor(file: string, args: readonly string[] = []) {
    const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.#exited = once(child, 'close');
    let said = '';
    this.#line = new Promise((resolve, reject) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('\n')) resolve(said.slice(0, said.indexOf('\n')));
      });
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
