// The Locks port: Web Locks, or without a secure context a heartbeat. A lock says that a session's tab lives; two that
// believe they hold it cost a repeated append, which the server recognises.
import type { Cancel } from '../../lib/cancel.ts';
import type { Locks } from '../../sync/ports.ts';
import { deviceStorage } from './shared-storage.ts';

const BEAT_MS = 5_000;
/** Browsers let hidden pages run timers once a minute. */
const DEAD_AFTER_MS = 90_000;

export function browserLocks(): Locks {
  // Undefined without a secure context (plain http on a name), whatever the types say.
  return 'locks' in navigator ? webLocks : heartbeatLocks(deviceStorage);
}

const nameOf = (session: string) => `weft-session:${session}`;

const webLocks: Locks = {
  take: (session) =>
    new Promise<Cancel | null>((resolve, reject) => {
      navigator.locks
        .request(nameOf(session), { ifAvailable: true }, (lock) => {
          if (lock === null) {
            resolve(null);
            return undefined;
          }
          // Held until this promise resolves, or the tab is gone.
          return new Promise<void>((release) => resolve(() => release()));
        })
        .catch(reject);
    }),
};

/** Times in localStorage rather than in IndexedDB: reading and writing them is one step. */
export function heartbeatLocks(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Locks {
  return {
    take(session) {
      const name = nameOf(session);
      const beatAt = Number(storage.getItem(name) ?? 0);
      // A beat of the future is from before somebody set the clock back.
      if (Math.abs(Date.now() - beatAt) < DEAD_AFTER_MS) return Promise.resolve(null);
      const beat = () => storage.setItem(name, String(Date.now()));
      beat();
      const timer = setInterval(beat, BEAT_MS);
      const release = () => {
        clearInterval(timer);
        storage.removeItem(name);
        removeEventListener('pagehide', release);
      };
      // A tab that closes in order frees its outbox at once.
      addEventListener('pagehide', release);
      return Promise.resolve(release);
    },
  };
}
