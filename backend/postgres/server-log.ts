// Reads what the bundled PostgreSQL writes to its standard error: stores it in a file of bounded size, and finds two things
// in it: that PostgreSQL accepts connections, and why it ended.
import { appendFileSync, renameSync, statSync } from 'node:fs';

const MAX_BYTES = 1024 * 1024;
const READY = 'database system is ready to accept connections';
/** One of its processes crashed: PostgreSQL ends the others and recovers, as at a start. */
const RECOVERING = 'all server processes terminated; reinitializing';
/** "2026-11-22 16:00:00.000 UTC [42] FATAL:  …", or "postgres: …" before it has read its settings. */
const COMPLAINT = /(?:\b(FATAL|PANIC):\s+|^postgres: )(.+)$/;
/** PostgreSQL refuses a connection during a start, or ends one during a stop. */
const OF_A_CONNECTION =
  /shutting down|starting up|in recovery mode|not yet accepting connections|terminating connection/;

export class ServerLog {
  readonly #file: string | null;
  readonly #onReady: () => void;
  #bytes: number;
  #rest = '';
  #isReady = false;
  #complaint: string | null = null;

  /** `file` null: nothing is written. */
  constructor(file: string | null, onReady: () => void) {
    this.#file = file;
    this.#onReady = onReady;
    this.#bytes = file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** The first error since PostgreSQL was last ready; later errors follow from it. */
  get complaint(): string | null {
    return this.#complaint;
  }

  add(chunk: Buffer): void {
    this.#append(chunk);
    const lines = (this.#rest + chunk.toString()).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    if (line.includes(READY)) {
      this.#isReady = true;
      this.#complaint = null;
      this.#onReady();
    }
    if (line.includes(RECOVERING)) this.#isReady = false;
    const [, severity, complaint] = COMPLAINT.exec(line) ?? [];
    if (complaint === undefined || OF_A_CONNECTION.test(complaint)) return;
    // While PostgreSQL is ready, a FATAL error ends one connection only.
    if (this.#isReady && severity === 'FATAL') return;
    this.#complaint ??= complaint;
  }

  #append(chunk: Buffer): void {
    if (this.#file === null) return;
    try {
      if (this.#bytes > MAX_BYTES) {
        renameSync(this.#file, `${this.#file}.old`);
        this.#bytes = 0;
      }
      appendFileSync(this.#file, chunk, { mode: 0o600 });
      this.#bytes += chunk.length;
    } catch {
      // The disk is full or read-only: PostgreSQL says so itself.
    }
  }
}
