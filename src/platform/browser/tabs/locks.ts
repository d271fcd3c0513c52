// The Locks port: Web Locks, or without a secure context connections to IndexedDB that the browser ends with their tab. A
// lock says that a session's tab lives.
import type { Cancel } from '../../../lib/cancel.ts';
import type { Locks } from '../../../sync/ports.ts';
import { connectionLocks, sweepConnectionLocks } from './connection-locks.ts';

/** Long after the page was opened: nobody waits for it. */
const SWEEPS_AFTER_MS = 20_000;
const SWEEPS_AT_MOST = 50;

let ofThisTab: Locks | null = null;

/** One for the tab: what it holds it says on one channel. */
export function browserLocks(): Locks {
  return (ofThisTab ??= makeLocks());
}

function makeLocks(): Locks {
  // Undefined without a secure context (plain http on a name), whatever the types say.
  if ('locks' in navigator) return webLocks;
  setTimeout(() => void sweepConnectionLocks(SWEEPS_AT_MOST).catch(() => undefined), SWEEPS_AFTER_MS);
  return connectionLocks();
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
