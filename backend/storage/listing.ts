// Lists a folder of a bucket: folders and files, with names relative to it. `limit` and `offset` count only what the caller may
// see.
import * as v from 'valibot';
import type { Engine } from '../engine.ts';
import { isCount, parseStorageBody } from './buckets.ts';
import { type StorageCaller, settingsOf } from './caller.ts';
import { invalidRequest } from './storage-error.ts';

const COLUMNS = ['name', 'updated_at', 'created_at', 'last_accessed_at'] as const;

const listSchema = v.object({
  prefix: v.optional(v.nullable(v.string()), ''),
  limit: v.optional(v.number(), 100),
  offset: v.optional(v.number(), 0),
  search: v.optional(v.nullable(v.string()), ''),
  sortBy: v.optional(
    v.object({ column: v.optional(v.picklist(COLUMNS), 'name'), order: v.optional(v.string(), 'asc') }),
    {},
  ),
});

const MAX_LIMIT = 1000;

/** Lists folders first, then files. */
export async function listFolder(
  engine: Engine,
  bucket: string,
  caller: StorageCaller,
  body: unknown,
): Promise<unknown> {
  const { prefix, limit, offset, search, sortBy } = parseStorageBody(listSchema, body);
  if (!isCount(limit) || !isCount(offset)) throw invalidRequest('limit and offset have to be whole numbers.');
  const folder = (prefix ?? '').replace(/^\/+/, '').replace(/([^/])$/, '$1/');
  // Bytewise order, like the hosted service, so that every database sorts alike.
  const column = sortBy.column === 'name' ? 'name collate "C"' : sortBy.column;
  const direction = sortBy.order.toLowerCase() === 'desc' ? 'desc' : 'asc';
  const { rows } = await engine.queryAs(
    settingsOf(caller, 'storage.object.list'),
    `with below as (
       select *, substr(name, length($2) + 1) as rest from storage.objects
       where bucket_id = $1 and starts_with(name, $2) and length(name) > length($2)
     ), matching as (select * from below where starts_with(lower(rest), lower($3))),
     entries as (
       select distinct split_part(rest, '/', 1) as name, 0 as kind, null::uuid as id, null::timestamptz as updated_at,
         null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
       from matching where strpos(rest, '/') > 0
       union all
       select rest, 1, id, updated_at, created_at, last_accessed_at, metadata from matching where strpos(rest, '/') = 0
     )
     select name, id, updated_at, created_at, last_accessed_at, metadata from entries
     order by kind, ${column} ${direction}, name limit $4::int offset $5::int`,
    [bucket, folder, search ?? '', Math.min(limit, MAX_LIMIT), offset],
  );
  return rows;
}
