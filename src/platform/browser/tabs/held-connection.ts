// A lock without Web Locks (plain http on a name): who holds it keeps a connection to an IndexedDB database of that name
// open, and whoever wants it has to raise the version, which the browser allows only when nobody else is connected. The
// browser itself ends the connections of a tab that is gone, however it went: no heartbeat, no clock.
import type { Cancel } from '../../../lib/cancel.ts';

/** A busy machine answers later than one would think; after that it is called held, which is always safe. */
const ANSWERS_WITHIN_MS = 3_000;
/** Of a tab that is frozen or hangs: it cannot even be asked whether it lets go. */
const LETS_GO_WITHIN_MS = 1_000;

/**
 * Null: another tab holds it, or it cannot be told in time. `isHeld` is asked where there may be a holder: a request to
 * raise a version cannot be taken back, and until the holder is gone everybody else waits behind it. Rejects where there
 * is no IndexedDB.
 */
export async function holdConnection(name: string, isHeld: () => Promise<boolean>): Promise<Cancel | null> {
  const first = await connect(name, undefined, ANSWERS_WITHIN_MS);
  if (first === null || first.isAlone) return first && holding(first.db, name);
  // Somebody has it, or a tab that is gone left it behind: then exactly one of those who ask gets the next version.
  const { version } = first.db;
  first.db.close();
  if (await isHeld()) return null;
  const raised = await connect(name, version + 1, LETS_GO_WITHIN_MS);
  if (raised === null || raised.isAlone) return raised && holding(raised.db, name);
  raised.db.close();
  return null;
}

/** `isAlone`: the version was raised by us, and nobody else was connected while it was. */
type Connected = { readonly db: IDBDatabase; readonly isAlone: boolean };

/** Null: somebody is connected and stays, or was quicker. */
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
      // It comes true when the other one has let go, for nobody.
      if (isGivenUp) request.transaction?.abort();
      isAlone = true;
    });
    request.addEventListener('success', () => {
      clearTimeout(timer);
      const db = request.result;
      if (isGivenUp) return db.close();
      // Whoever holds it stays; who only looked which version there is makes room.
      if (!isAlone) db.addEventListener('versionchange', () => db.close());
      resolve({ db, isAlone });
    });
    request.addEventListener('error', (event) => {
      // An upgrade given up, or a version that somebody raised meanwhile: no failure of the page.
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
    // Waits until whoever has it next has let go too. Should this tab be gone before, an empty one stays behind.
    indexedDB.deleteDatabase(name);
  };
}
