// A store of changes that the server does not have yet.
import type * as v from 'valibot';
import { ON_DISK, completeAll } from 'weft-sync/browser/storage/private-database.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { ChangeQueue } from '../../../ports/device.ts';
import type { StoredChange, WeftDatabase } from './weft-database.ts';

/** `schema` parses a stored change, which another version may have written. */
export function changeQueue<Change extends StoredChange>(
  { database }: WeftDatabase,
  name: 'pageChanges' | 'commentChanges',
  schema: v.GenericSchema<unknown, Change>,
): ChangeQueue<Change> {
  return {
    async put(change, replaced) {
      const tx = (await database.use()).transaction(name, 'readwrite', ON_DISK);
      await completeAll(tx, [tx.store.put(change), ...replaced.map((key) => tx.store.delete(key))]);
    },
    async list() {
      const changes = await (await database.use()).getAll(name);
      return changes.flatMap((change) => parseOrNull(schema, change) ?? []).sort((a, b) => a.madeAt - b.madeAt);
    },
    async keys() {
      return new Set(await (await database.use()).getAllKeys(name));
    },
    async remove(key) {
      await (await database.use()).delete(name, key);
    },
  };
}
