// Reads what the bundled PostgreSQL writes to its standard error: stores it in a file of bounded size, and looks for two
// things in it, whether PostgreSQL accepts connections and why it ended.
import { appendFileSync, renameSync, statSync } from 'node:fs';

const MAX_BYTES = 1024 * 1024;
const READY = 'database system is ready to accept connections';
/** "2026-11-22 16:00:00.000 UTC [42] FATAL:  …", or "postgres: …" before it has read its settings. */
const COMPLAINT = /(?:\b(?:FATAL|PANIC):\s+|^postgres: )(.+)$/;

export class ServerLog {
  readonly #file: string | null;
  readonly #onReady: () => void;
  #bytes: number;
  #rest = '';
  /** The first of this run of the server. */
  readonly #complaints: string[] = [];

  /** `file` null: nothing is written. */
  constructor(file: string | null, onReady: () => void) {
    this.#file = file;
    this.#onReady = onReady;
    this.#bytes = file === null ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  }

  /** The first reason that PostgreSQL gave for not going on; the ones after it follow from it. */
  get complaint(): string | null {
    return this.#complaints.find((line) => !/shutting down|starting up|terminating connection/.test(line)) ?? null;
  }

  add(chunk: Buffer): void {
    this.#append(chunk);
    const lines = (this.#rest + chunk.toString()).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, complaint] = COMPLAINT.exec(line) ?? [];
      if (complaint !== undefined && this.#complaints.length < 20) this.#complaints.push(complaint);
      if (line.includes(READY)) this.#onReady();
    }
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
