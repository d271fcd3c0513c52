// One process per data directory. The lock is SQLite's lock on an empty database file: the kernel frees it when the process
// dies in whatever way. A file with a process id in it was rejected: after a restart of a container, another process can
// have that number.
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

/** Frees the directory; safe to call twice. */
export type Release = () => void;

/** Null if this or another process already holds the lock. Throws a `StartError` if `file` cannot be used. */
export function lockDirectory(file: string): Release | null {
  const lock = openLock(file);
  try {
    // The transaction stays open and writes nothing.
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Error && error.message.includes('locked')) return null;
    throw error;
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}

function openLock(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw new StartError(`${file} cannot be opened for writing. Nothing is stored in it: remove it, then start Weft.`, {
      cause,
    });
  }
}
