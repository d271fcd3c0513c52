// What the operator reads of refused requests: one line each, and no more than a few a minute, so that nobody can fill a
// disk or write something into the log that looks like another line.

const LINES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const MAX_PART = 120;

export class RefusalLog {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  #minuteEndsAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #unsaid = 0;

  constructor(write: (line: string) => void, now: () => number = () => performance.now()) {
    this.#write = write;
    this.#now = now;
  }

  say(...parts: readonly string[]): void {
    const now = this.#now();
    if (now >= this.#minuteEndsAt) {
      if (this.#unsaid > 0) this.#write(`refused ${this.#unsaid} more`);
      this.#minuteEndsAt = now + MINUTE_MS;
      this.#written = 0;
      this.#unsaid = 0;
    }
    if (this.#written++ < LINES_PER_MINUTE) this.#write(`refused ${parts.map(printable).join(' ')}`);
    else this.#unsaid++;
  }
}

/** What a caller sent, for reading: no control characters, no line breaks, not long. */
const printable = (text: string): string => {
  const shown = text.replaceAll(/[^\u0021-\u007E ]/gu, '?');
  return shown.length > MAX_PART ? `${shown.slice(0, MAX_PART)}…` : shown;
};
