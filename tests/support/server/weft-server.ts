// Weft as people start it: the command in its own process, on a free port and with a temporary data directory.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { inject } from 'vitest';
import { ROOT } from '../../../scripts/root.mjs';
import { copyFolder, removeFolder, temporaryFolder } from './temporary-folder.ts';

const READY = /^Weft ready: (http:\/\/127\.0\.0\.1:(\d+))$/;
/** The first start makes a database, which takes some seconds on a busy machine. */
const READY_WITHIN_MS = 60_000;

const keysForm = v.object({ anonKey: v.string(), serviceRoleKey: v.string(), jwtSecret: v.string() });

type StartOptions = { readonly folder?: string; readonly port?: number; readonly more?: readonly string[] };

export class WeftServer {
  static readonly #running = new Set<WeftServer>();
  readonly #child: ChildProcess;
  readonly #temporary: string | null;
  readonly folder: string;
  readonly url: string;
  readonly port: number;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** The secret that signs access tokens. */
  readonly jwtSecret: string;
  /** Every line it wrote to standard output. */
  readonly lines: readonly string[];

  private constructor(
    child: ChildProcess,
    data: { folder: string; temporary: string | null },
    ready: { url: string; port: number; lines: readonly string[] },
    keys: v.InferOutput<typeof keysForm>,
  ) {
    this.#child = child;
    this.#temporary = data.temporary;
    this.folder = data.folder;
    this.url = ready.url;
    this.port = ready.port;
    this.lines = ready.lines;
    this.anonKey = keys.anonKey;
    this.serviceRoleKey = keys.serviceRoleKey;
    this.jwtSecret = keys.jwtSecret;
  }

  /** Without a folder it uses a temporary one, removed when it stops. `port` 0 is any free one; `more` are further options. */
  static async start(options: StartOptions = {}): Promise<WeftServer> {
    const server = await WeftServer.startShared(options);
    WeftServer.#running.add(server);
    return server;
  }

  /** Like `start`, but it runs until its own `stop`: several test files use it. */
  static async startShared(options: StartOptions = {}): Promise<WeftServer> {
    const temporary = options.folder === undefined ? await temporaryFolder('e2e') : null;
    const folder = options.folder ?? join(temporary ?? '', 'data');
    if (temporary !== null) await copyFreshData(folder);
    const child = spawn(
      process.execPath,
      [
        join(ROOT, 'backend', 'cli.ts'),
        'start',
        '--port',
        String(options.port ?? 0),
        '--data',
        folder,
        ...(options.more ?? []),
      ],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const lines: string[] = [];
    const [url, port] = await readyLine(child, lines);
    const keys = v.parse(keysForm, JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')));
    return new WeftServer(child, { folder, temporary }, { url, port, lines }, keys);
  }

  /** Stops all that `start` started and that still run. Call it after each test, so that a failed test leaves no server behind. */
  static async stopAll(): Promise<void> {
    await Promise.all(Array.from(WeftServer.#running, (server) => server.stop()));
  }

  /** Kills it without notice, as a power cut does. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops answering while connections stay open, until `resume`. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
    if (this.#temporary !== null) await removeFolder(this.#temporary);
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    WeftServer.#running.delete(this);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.resume();
    this.#child.kill(signal);
    await gone;
  }
}

async function copyFreshData(folder: string): Promise<void> {
  const fresh = inject('freshData');
  if (fresh !== undefined) await copyFolder(fresh, folder);
}

async function readyLine(child: ChildProcess, lines: string[]): Promise<[url: string, port: number]> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  if (child.stdout === null) throw new Error('no standard output');
  const reader = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    const giveUp = (reason: string) => {
      child.kill('SIGKILL');
      reject(new Error(`Weft did not start: ${reason}\n${stderr}`));
    };
    const timer = setTimeout(() => giveUp(`nothing within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS);
    child.once('exit', (code) => giveUp(`it ended with ${code}`));
    reader.on('line', (line) => {
      lines.push(line);
      const [, url, port] = READY.exec(line) ?? [];
      if (url === undefined || lines.length > 1) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve([url, Number(port)]);
    });
  });
}
