// A lock for browsers without Web Locks (plain http on a host name). The holder keeps a connection to an IndexedDB
// database of that name open. Anyone else must raise the version, which the browser only allows while no one is
// connected. The browser closes the connections of a tab that is gone, for whatever reason: no heartbeat, no clock.
import type { Cancel } from '../../../lib/cancel.ts';

/** A busy machine can be very slow. After this time the lock counts as held, which is always safe. */
const ANSWERS_WITHIN_MS = 3_000;
/** A frozen or hanging tab cannot even be asked to release the lock. */
const RELEASES_WITHIN_MS = 1_000;

/**
 * Returns null if another tab holds the lock, or if we cannot tell in time. Asks `isHeld` if there may be a holder: a
 * request to raise the version cannot be taken back, and it makes everyone else wait until the holder is gone. Rejects
 * without IndexedDB.
 */
export async function holdConnection(name: string, isHeld: () => Promise<boolean>): Promise<Cancel | null> {
  const first = await connect(name, undefined, ANSWERS_WITHIN_MS);
  if (first === null || first.isAlone) return first && holding(first.db, name);
  // Someone holds it, or a closed tab left the database behind. Exactly one of the tabs that ask can raise the
  // version.
  const { version } = first.db;
  first.db.close();
  if (await isHeld()) return null;
  const raised = await connect(name, version + 1, RELEASES_WITHIN_MS);
  if (raised === null || raised.isAlone) return raised && holding(raised.db, name);
  raised.db.close();
  return null;
}

/** `isAlone`: we raised the version, and no one else was connected meanwhile. */
type Connected = { readonly db: IDBDatabase; readonly isAlone: boolean };

/** Null: someone is connected and stays, or was faster, or there was no answer in time. */
function connect(name: string, version: number | undefined, patienceMs: number): Promise<Connected | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    let isAlone = false;
    let isGivenUp = false;
    const giveUp = () => {
      isGivenUp = true;
      clearTimeout(timer);
      resolve(null);
    };
    const timer = setTimeout(giveUp, patienceMs);
    request.addEventListener('blocked', giveUp);
    request.addEventListener('upgradeneeded', () => {
      // The request succeeds when the other connection closes, but we gave up. Undo it.
      if (isGivenUp) request.transaction?.abort();
      isAlone = true;
    });
    request.addEventListener('success', () => {
      clearTimeout(timer);
      const db = request.result;
      if (isGivenUp) return db.close();
      // A holder stays connected. A connection that only read the version closes to make room.
      if (!isAlone) db.addEventListener('versionchange', () => db.close());
      resolve({ db, isAlone });
    });
    request.addEventListener('error', (event) => {
      // We gave up the upgrade, or someone else raised the version meanwhile. The page has not failed.
      event.preventDefault();
      clearTimeout(timer);
      const { error } = request;
      if (error?.name === 'VersionError' || error?.name === 'AbortError') resolve(null);
      else reject(error ?? new Error('IndexedDB refused'));
    });
  });
}

function holding(db: IDBDatabase, name: string): Cancel {
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    db.close();
    // The deletion waits until the next holder releases it too. If this tab is gone before that, an empty database stays
    // behind.
    indexedDB.deleteDatabase(name);
  };
}
