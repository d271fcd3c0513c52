// The Tabs port in memory, for tabs in one process. A `TabTransfer` transports the messages, so that a simulation can delay
// or lose them.
import type { Bytes } from '../../lib/bytes.ts';
import type { Clock, Tabs } from '../ports.ts';
import type { DocumentId } from '../protocol/ids.ts';
import { MAX_TAB_MESSAGE_BYTES } from '../protocol/limits.ts';

const DELIVERY_MS = 1;

/** Transports a message to a tab: runs `deliver` later, or never. */
export type TabTransfer = (deliver: () => void) => void;

type Joined = {
  readonly document: DocumentId;
  readonly onMessage: (bytes: Bytes) => void;
  readonly transfer: TabTransfer;
};

/** The channel between the tabs of one browser. `tab()` is the port of one tab; `die` removes it, as when the tab is killed. */
export class MemoryTabs {
  readonly #clock: Clock;
  readonly #joined = new Set<Joined>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of joins in all tabs together. */
  get joined(): number {
    return this.#joined.size;
  }

  /** The port of a new tab. `transfer` transports each message to it. */
  tab(transfer: TabTransfer = (deliver) => void this.#clock.after(DELIVERY_MS, deliver)): Tabs & { die(): void } {
    const mine = new Set<Joined>();
    let isDead = false;
    return {
      join: (document, onMessage) => {
        const joined: Joined = { document, onMessage, transfer };
        if (!isDead) {
          mine.add(joined);
          this.#joined.add(joined);
        }
        return {
          post: (bytes) => {
            if (this.#joined.has(joined)) this.#post(joined, bytes);
          },
          leave: () => {
            mine.delete(joined);
            this.#joined.delete(joined);
          },
        };
      },
      die: () => {
        isDead = true;
        for (const joined of mine) this.#joined.delete(joined);
        mine.clear();
      },
    };
  }

  #post(from: Joined, bytes: Bytes): void {
    if (bytes.length === 0 || bytes.length > MAX_TAB_MESSAGE_BYTES) return;
    for (const to of this.#joined) {
      if (to === from || to.document !== from.document) continue;
      const copy = bytes.slice();
      to.transfer(() => {
        if (this.#joined.has(to)) to.onMessage(copy);
      });
    }
  }
}
