// Logs refused requests for the operator: one line each and a few lines a minute at most, so that a client can neither fill
// the disk nor forge log lines.

const LINES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const MAX_PART = 120;

export class RefusalLog {
  readonly #write: (line: string) => void;
  #minuteEndsAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #omitted = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  write(...parts: readonly string[]): void {
    const now = performance.now();
    if (now >= this.#minuteEndsAt) {
      if (this.#omitted > 0) this.#write(`refused ${this.#omitted} more`);
      this.#minuteEndsAt = now + MINUTE_MS;
      this.#written = 0;
      this.#omitted = 0;
    }
    if (this.#written++ < LINES_PER_MINUTE) this.#write(`refused ${parts.map(printable).join(' ')}`);
    else this.#omitted++;
  }
}

/** Replaces control characters and line breaks in what a client sent, and shortens it. */
const printable = (text: string): string => {
  const shown = text.replaceAll(/[^\u0021-\u007E ]/gu, '?');
  return shown.length > MAX_PART ? `${shown.slice(0, MAX_PART)}…` : shown;
};
