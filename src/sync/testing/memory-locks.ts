// The Locks port in memory, for tabs in one process.
import type { Locks } from '../ports.ts';
import type { SessionId } from '../protocol/ids.ts';

/** The locks of one browser. `tab()` is the port of one tab; `die` releases its locks, as when the tab is killed. */
export class MemoryLocks {
  readonly #held = new Set<SessionId>();

  get held(): number {
    return this.#held.size;
  }

  tab(): Locks & { die(): void; loseAll(): void } {
    const mine = new Set<SessionId>();
    let isDead = false;
    const release = (session: SessionId) => {
      if (mine.delete(session)) this.#held.delete(session);
    };
    return {
      take: (session) => {
        if (isDead || this.#held.has(session)) return Promise.resolve(null);
        this.#held.add(session);
        mine.add(session);
        return Promise.resolve(() => release(session));
      },
      die: () => {
        isDead = true;
        for (const session of [...mine]) release(session);
      },
      /** As some browsers do with a tab that they freeze. */
      loseAll: () => {
        for (const session of [...mine]) release(session);
      },
    };
  }
}
