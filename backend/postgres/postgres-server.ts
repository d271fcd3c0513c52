// Runs the bundled PostgreSQL on a cluster: starts it, starts it again if it crashes or is killed, and ends it in
// order. Knows nothing of what is in the database.
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import type { Binaries } from './binaries.ts';
import { type ServerAccess, openAccess } from './server-access.ts';
import { endServerLeftBehind } from './server-left-behind.ts';
import { ServerLog } from './server-log.ts';
import { serverSettings } from './server-settings.ts';
import { type ServerUser, runAs } from './server-user.ts';
import { Watchdog } from './watchdog.ts';

export type PostgresServerOptions = {
  readonly clusterDir: string;
  readonly user: ServerUser;
  readonly binaries: Binaries;
  /** Null: what PostgreSQL logs is not stored. */
  readonly logFile: string | null;
  /** False: nothing waits for the disk; for databases that are thrown away. */
  readonly isDurable: boolean;
  /** A folder that is removed when PostgreSQL ends, also if Node is killed. */
  readonly removedAtEnd?: string | undefined;
  /** Further settings, such as "max_connections=300". */
  readonly settings?: readonly string[];
  readonly log: (line: string) => void;
};

/** The processes of a killed server end a moment later and hold its shared memory until then. */
const MEMORY_IN_USE = /pre-existing shared memory block/;
const MEMORY_IN_USE_MS = 30_000;
const RETRY_MS = 100;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** After this long, `pause` gives up on an orderly shutdown: everything in memory is in the write-ahead log too. */
const STOP_MS = 30_000;

class Ended extends Error {}

export class PostgresServer {
  readonly url: string;
  readonly #options: PostgresServerOptions;
  readonly #access: ServerAccess;
  #process: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  /** The start under way: the first, the one after a pause, or those after a crash. */
  #starting: Promise<void> = Promise.resolve();
  /** `pause` and `stop` abort it, and every start under way then gives up; a start after a pause has a new one. */
  #wanted = new AbortController();

  private constructor(options: PostgresServerOptions, access: ServerAccess) {
    this.#options = options;
    this.#access = access;
    this.url = access.url;
  }

  /** Resolves when PostgreSQL accepts connections. Throws a `StartError` if it does not start. */
  static async start(options: PostgresServerOptions): Promise<PostgresServer> {
    const server = new PostgresServer(options, await openAccess(options.clusterDir, options.user));
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  /** Starts PostgreSQL, also again after `pause`. */
  start(): Promise<void> {
    this.#wanted = new AbortController();
    this.#starting = this.#launch(this.#wanted.signal);
    return this.#starting;
  }

  async #launch(signal: AbortSignal): Promise<void> {
    await endServerLeftBehind(this.#options.clusterDir);
    const deadline = Date.now() + MEMORY_IN_USE_MS;
    for (;;) {
      signal.throwIfAborted();
      try {
        return await this.#run(signal);
      } catch (error) {
        if (!(error instanceof Ended) || !MEMORY_IN_USE.test(error.message) || Date.now() > deadline) {
          throw this.#explained(error);
        }
        await delay(RETRY_MS, null, { signal });
      }
    }
  }

  /** Shuts PostgreSQL down in order; `start` starts it again. */
  async pause(): Promise<void> {
    this.#wanted.abort();
    // Windows has no signals: there `kill` ends the process at once, like a crash.
    this.#process?.kill('SIGINT');
    const impatient = setTimeout(() => this.#process?.kill('SIGQUIT'), STOP_MS);
    await Promise.allSettled([this.#starting]);
    await this.#exited;
    clearTimeout(impatient);
  }

  async stop(): Promise<void> {
    await this.pause();
    for (const dir of this.#removedAtEnd()) await rm(dir, { recursive: true, force: true });
  }

  #removedAtEnd(): readonly string[] {
    return [this.#access.socketDir, this.#options.removedAtEnd].filter((dir) => dir != null);
  }

  /** Resolves when PostgreSQL accepts connections; rejects with `Ended` if it ends first. */
  #run(signal: AbortSignal): Promise<void> {
    const { clusterDir, user, binaries, logFile, isDurable } = this.#options;
    const removed = this.#removedAtEnd();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isReady = false;
    const log = new ServerLog(logFile, () => {
      isReady = true;
      resolve();
    });
    const chosen = [...this.#access.settings, ...serverSettings(isDurable), ...(this.#options.settings ?? [])];
    const settings = chosen.flatMap((setting) => ['-c', setting]);
    const child = spawn(binaries.postgres, ['-D', clusterDir, ...settings], {
      ...runAs(user),
      cwd: '/',
      env: { PATH: process.env['PATH'], TZ: 'UTC' },
      // A separate session: Ctrl-C in a terminal reaches only Node, which ends PostgreSQL after its requests.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    const { pid } = child;
    const watchdog = pid === undefined ? null : new Watchdog(pid, user, removed);
    child.stderr?.on('data', (chunk: Buffer) => log.add(chunk));
    this.#exited = new Promise((exited) => {
      const end = (reason: string) => {
        watchdog?.dismiss();
        this.#process = null;
        exited();
        const why = log.complaint ?? reason;
        reject(new Ended(why));
        if (isReady && !signal.aborted) this.#starting = this.#startAgain(why, signal);
      };
      child.once('error', (error) => end(String(error)));
      // `close`, not `exit`: by then standard error has been read to the end.
      child.once('close', (code, killedBy) => end(`it ended with ${killedBy ?? `code ${code}`}`));
    });
    return promise;
  }

  async #startAgain(why: string, signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    log(`PostgreSQL ended: ${why}. It is started again; what was acknowledged is safe.`);
    let reported = '';
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await this.#launch(signal);
        log('PostgreSQL runs again.');
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (String(error) !== reported) log(error instanceof Error ? error.message : String(error));
        reported = String(error);
        await delay(pauseMs, null, { ref: false, signal }).catch(() => {});
      }
    }
  }

  #explained(error: unknown): unknown {
    if (!(error instanceof Ended)) return error;
    const { clusterDir, logFile } = this.#options;
    if (/No space left on device/.test(error.message)) {
      return new StartError(
        `The disk of ${clusterDir} is full: PostgreSQL cannot start. Make room; what was saved is safe.`,
      );
    }
    if (/Read-only file system/.test(error.message))
      return new StartError(`The disk of ${clusterDir} is read-only: mount it for writing.`);
    const details = logFile === null ? '' : ` (more in ${logFile})`;
    return new StartError(
      `PostgreSQL does not start on ${clusterDir}: ${error.message}${details}. Repair that, or restore a backup into another directory.`,
      { cause: error },
    );
  }
}
