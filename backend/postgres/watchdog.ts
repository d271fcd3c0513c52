// A tiny process that ends PostgreSQL if Node is killed in a way that lets it do nothing itself (SIGKILL, out of memory).
// It waits at a pipe whose other end is Node's: the system closes it with Node.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import process from 'node:process';
import { type ServerUser, runAs } from './server-user.ts';

/** A line means that PostgreSQL has ended; the end of the pipe without one, that Node is gone. */
const SHELL = `
  read -r _ && exit
  kill -INT "$1"
  while kill -0 "$1" 2>/dev/null; do sleep 0.1; done
  shift
  rm -rf "$@"
`;
/** Windows has no shell with `read`, and no signals: ending a process there is what a crash is elsewhere. */
const SCRIPT = `
  let isOrderly = false;
  process.stdin.on('data', () => { isOrderly = true; });
  process.stdin.on('end', () => {
    if (isOrderly) return;
    try { process.kill(Number(process.argv[1])); } catch {}
    for (const dir of process.argv.slice(2)) require('node:fs').rmSync(dir, { recursive: true, force: true, maxRetries: 50 });
  });
`;

export class Watchdog {
  readonly #process: ChildProcess;

  /** `removed`: folders that it removes after ending PostgreSQL. */
  constructor(pid: number, user: ServerUser, removed: readonly string[]) {
    const args = [String(pid), ...removed];
    // A session of its own: Ctrl-C in a terminal reaches Node alone.
    const options: SpawnOptions = { ...runAs(user), cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] };
    this.#process =
      process.platform === 'win32'
        ? spawn(process.execPath, ['-e', SCRIPT, '--', ...args], options)
        : spawn('/bin/sh', ['-c', SHELL, 'weft-watchdog', ...args], options);
    // Without a watchdog, PostgreSQL outlives a killed Node, and the next start ends it (server-left-behind.ts).
    this.#process.on('error', () => {});
    this.#process.stdin?.on('error', () => {});
    this.#process.unref();
  }

  /** PostgreSQL has ended. */
  dismiss(): void {
    this.#process.stdin?.end('\n');
  }
}
