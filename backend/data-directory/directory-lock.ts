// One process per data directory. The lock is SQLite's lock on an empty database file: the kernel frees it when the process
// dies in whatever way. A file with a process id in it was rejected: after a restart of a container, another process can
// have that number.
import { DatabaseSync } from 'node:sqlite';

/** Frees the directory again; safe to call twice. */
export type Release = () => void;

/** Null when another connection, of this process or another, holds the lock. */
export function lockDirectory(file: string): Release | null {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    // An exclusive transaction that stays open and writes nothing.
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
