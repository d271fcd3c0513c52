// Pages made on this device that the server has not made yet (the `NewPageQueue` of src/state). Each lies there with
// its first row, so that it opens like any page that was opened before.
import type * as v from 'valibot';
import type { DocumentId } from '../../../protocol/ids.ts';
import type { Row } from '../../../protocol/row.ts';
import type { StoredMeta } from '../../../sync/ports.ts';
import { all } from './private-database.ts';
import * as shapes from './stored-shapes.ts';
import { parsed } from './stored-shapes.ts';
import { EVERYTHING, type WeftDatabase, bytesOf, forgetting } from './weft-database.ts';

type QueuedPage = v.InferOutput<typeof shapes.newPage>;

export function newPageQueue({ database }: WeftDatabase) {
  return {
    async add(page: QueuedPage, meta: StoredMeta, seed: Row): Promise<void> {
      const document = page.id;
      const tx = (await database.use()).transaction(['newPages', 'documents', 'rows'], 'readwrite');
      await all(tx, [
        tx.objectStore('newPages').put(page),
        tx.objectStore('documents').put({ document, meta, openedAt: page.madeAt, bytes: bytesOf([seed]) }),
        tx.objectStore('rows').put({ document, ...seed }),
      ]);
    },
    async list(): Promise<readonly QueuedPage[]> {
      const pages = await (await database.use()).getAll('newPages');
      return pages.flatMap((page) => parsed(shapes.newPage, page) ?? []).sort((a, b) => a.madeAt - b.madeAt);
    },
    async get(id: DocumentId): Promise<QueuedPage | null> {
      return parsed(shapes.newPage, await (await database.use()).get('newPages', id));
    },
    /** Changes one that is still there: another tab may have seen it made. */
    async change(id: DocumentId, change: Partial<Omit<QueuedPage, 'id'>>): Promise<void> {
      const tx = (await database.use()).transaction('newPages', 'readwrite');
      const changed = tx.store.get(id).then((page) => page && tx.store.put({ ...page, ...change }));
      await all(tx, [changed]);
    },
    async remove(id: DocumentId): Promise<void> {
      await (await database.use()).delete('newPages', id);
    },
    async drop(id: DocumentId): Promise<void> {
      const tx = (await database.use()).transaction(EVERYTHING, 'readwrite');
      await all(tx, forgetting(tx, id));
    },
  };
}
