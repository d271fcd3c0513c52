// Changes of the page tree that the server does not have yet.
import * as v from 'valibot';
import { ON_DISK, completeAll } from 'weft-sync/browser/storage/private-database.ts';
import { documentId } from 'weft-sync/protocol/shapes.ts';
import { parseOrNull } from '../../../lib/parse-or-null.ts';
import type { PageChangeQueue } from '../../../ports/device.ts';
import type { WeftDatabase } from './weft-database.ts';

const about = { key: v.string(), page: documentId, madeAt: v.fallback(v.number(), 0) };
const pageChange = v.variant('kind', [
  v.object({ ...about, kind: v.literal('move'), parent: v.nullable(documentId), rank: v.string() }),
  v.object({ ...about, kind: v.literal('icon'), icon: v.nullable(v.string()) }),
  v.object({ ...about, kind: v.literal('template'), isTemplate: v.boolean() }),
  v.object({ ...about, kind: v.literal('trash') }),
  v.object({ ...about, kind: v.literal('favourite'), rank: v.nullable(v.string()) }),
]);
export function pageChangeQueue({ database }: WeftDatabase): PageChangeQueue {
  return {
    async put(change, replaced) {
      const tx = (await database.use()).transaction('pageChanges', 'readwrite', ON_DISK);
      await completeAll(tx, [tx.store.put(change), ...replaced.map((key) => tx.store.delete(key))]);
    },
    async list() {
      const changes = await (await database.use()).getAll('pageChanges');
      return changes.flatMap((change) => parseOrNull(pageChange, change) ?? []).sort((a, b) => a.madeAt - b.madeAt);
    },
    async remove(key) {
      await (await database.use()).delete('pageChanges', key);
    },
  };
}
