// A Log whose pages are opened only after something else succeeded: a page made on this device is made on the server
// first, and what that answers is what opening answers.
import type { Log } from '../../sync/ports.ts';
import type { BeforeOpen } from './person-state.ts';

/** Every other call of a session comes after an open call that succeeded. */
export function openAfterCreation(log: Log, beforeOpen: BeforeOpen): Log {
  return {
    ...log,
    async open(document, since) {
      const before = await beforeOpen();
      return before.ok ? log.open(document, since) : before;
    },
  };
}
