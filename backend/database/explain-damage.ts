// A damaged database often starts, and fails when something reads the damaged file. This tells such an error from a bug.
import { fieldsOf } from '../engine/database-error.ts';
import { StartError } from '../start-error.ts';

/** SQLSTATEs: internal errors such as a damaged page, files that are missing or unreadable, a database that is missing. */
const DAMAGE = /^(?:XX|58|3D000$)/;
const DISK_FULL = '53100';

/**
 * A `StartError` if `error`, from a start on the bundled database in `clusterDir`, shows damage or a full disk; else
 * `error`.
 */
export function explainDamage(error: unknown, clusterDir: string): unknown {
  const fields = fieldsOf(error);
  if (fields === null) return error;
  const { code, message } = fields;
  if (code === DISK_FULL) {
    return new StartError(`The disk of ${clusterDir} is full. Make room; what was saved is safe.`, { cause: error });
  }
  if (!DAMAGE.test(code)) return error;
  return new StartError(
    `The database in ${clusterDir} is damaged: ${message}. Restore a backup into another directory.`,
    { cause: error },
  );
}
