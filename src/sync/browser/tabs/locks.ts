// The Locks port: Web Locks, or connections to IndexedDB outside a secure context. The browser releases both when the
// tab is gone, so a lock shows that a session's tab is alive.
import type { Cancel } from '../../../lib/cancel.ts';
import type { Locks } from '../../ports.ts';
import { connectionLocks, sweepConnectionLocks } from './connection-locks.ts';

/** Long after the page has opened, so that no one waits for it. */
const SWEEPS_AFTER_MS = 20_000;
const SWEEPS_AT_MOST = 50;

let locksOfThisTab: Locks | null = null;

/** One instance per tab: it answers for its locks on a single channel. */
export function browserLocks(): Locks {
  return (locksOfThisTab ??= makeLocks());
}

function makeLocks(): Locks {
  // Undefined outside a secure context (plain http on a host name), whatever the types say.
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
          // The lock is held until this promise resolves or the tab is gone.
          return new Promise<void>((release) => resolve(() => release()));
        })
        .catch(reject);
    }),
};
