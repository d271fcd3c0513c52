// Wraps a Log so that a page created on this device is created on the server before it is opened there. If the creation
// fails, its error is the answer to opening.
import type { Log } from 'weft-sync/ports.ts';
import type { BeforeOpen } from '../state/person/person-ports.ts';

/** A session makes every other call after a successful open call. */
export function openAfterCreation(log: Log, beforeOpen: BeforeOpen): Log {
  return {
    ...log,
    async open(...args) {
      const before = await beforeOpen();
      return before.ok ? log.open(...args) : before;
    },
  };
}
