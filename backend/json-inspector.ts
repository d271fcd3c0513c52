// Counts the values of a JSON text and how deep they are nested, while its bytes arrive and before anything parses it. Strings
// cost next to nothing; a million keys or 200,000 brackets would stop the event loop for seconds in `JSON.parse` and after it.
// Does not check that the text is JSON.

export type JsonLimits = {
  /** Elements of lists and members of objects, in the whole text. */
  readonly jsonValues: number;
  /** Lists and objects inside each other. */
  readonly jsonDepth: number;
};

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class JsonInspector {
  readonly #limits: JsonLimits;
  #values = 1;
  #depth = 0;
  #isInString = false;
  /** In a string: the next byte belongs to an escape. */
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Reads the next part of the text. Returns false once a limit is exceeded. */
  accepts(part: Uint8Array): boolean {
    const { jsonValues, jsonDepth } = this.#limits;
    let at = 0;
    while (at < part.length) {
      if (this.#isInString) {
        at = this.#skipString(part, at);
        continue;
      }
      const byte = part[at++];
      if (byte === QUOTE) this.#isInString = true;
      else if (byte === COMMA) this.#values++;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#values++;
        this.#depth++;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
      if (this.#values > jsonValues || this.#depth > jsonDepth) return false;
    }
    return true;
  }

  /** Returns the position behind the string's end, or the end of `part`. Searching for quotes is ten times faster than reading. */
  #skipString(part: Uint8Array, start: number): number {
    let from = this.#isEscaped ? start + 1 : start;
    this.#isEscaped = false;
    for (;;) {
      const quote = part.indexOf(QUOTE, from);
      const end = quote === -1 ? part.length : quote;
      let backslashes = 0;
      while (end - backslashes > from && part[end - backslashes - 1] === BACKSLASH) backslashes++;
      const isEscaped = backslashes % 2 === 1;
      if (quote === -1) {
        this.#isEscaped = isEscaped;
        return part.length;
      }
      if (!isEscaped) {
        this.#isInString = false;
        return quote + 1;
      }
      from = quote + 1;
    }
  }
}
