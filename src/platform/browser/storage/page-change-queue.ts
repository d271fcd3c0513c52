// Changes of the page tree that the server does not have yet.
import * as v from 'valibot';
import { documentId } from 'weft-sync/protocol/shapes.ts';
import type { PageChangeQueue } from '../../../ports/device.ts';
import { changeQueue } from './change-queue.ts';
import type { WeftDatabase } from './weft-database.ts';

const about = { key: v.string(), page: documentId, madeAt: v.fallback(v.number(), 0) };
const pageChange = v.variant('kind', [
  v.object({ ...about, kind: v.literal('move'), parent: v.nullable(documentId), rank: v.string() }),
  v.object({ ...about, kind: v.literal('icon'), icon: v.nullable(v.string()) }),
  v.object({ ...about, kind: v.literal('template'), isTemplate: v.boolean() }),
  v.object({ ...about, kind: v.literal('trash') }),
  v.object({ ...about, kind: v.literal('favourite'), rank: v.nullable(v.string()) }),
]);

export const pageChangeQueue = (database: WeftDatabase): PageChangeQueue =>
  changeQueue(database, 'pageChanges', pageChange);
