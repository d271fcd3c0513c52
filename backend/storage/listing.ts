// Lists a bucket as folders and files: `list` shows one folder with names relative to it, `list-v2` shows any prefix
// with full names, page by page. Counts only what the caller may see, before it cuts the list.
import * as v from 'valibot';
import type { Engine } from '../engine.ts';
import { isCount, parse } from './buckets.ts';
import { type Caller, settingsOf } from './caller.ts';
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

const listV2Schema = v.object({
  prefix: v.optional(v.string(), ''),
  limit: v.optional(v.number(), 1000),
  cursor: v.optional(v.string()),
  with_delimiter: v.optional(v.boolean(), false),
  sortBy: v.optional(
    v.object({
      column: v.optional(v.picklist(['name', 'updated_at', 'created_at']), 'name'),
      order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
    }),
    {},
  ),
});

const cursorSchema = v.object({ name: v.string(), sorted: v.nullable(v.string()) });

const MAX_LIMIT = 1000;

/** Lists folders first, then files. */
export async function listFolder(engine: Engine, bucket: string, caller: Caller, body: unknown): Promise<unknown> {
  const { prefix, limit, offset, search, sortBy } = parse(listSchema, body);
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

type Entry = {
  readonly name: string;
  readonly is_folder: boolean;
  readonly sorted: string | null;
  readonly id: string | null;
  readonly updated_at: string | null;
  readonly created_at: string | null;
  readonly metadata: unknown;
};

/** With a delimiter, everything deeper than the prefix's folder appears once, as the name of its folder. */
export async function listPage(engine: Engine, bucket: string, caller: Caller, body: unknown): Promise<unknown> {
  const { prefix, limit, cursor, with_delimiter: withFolders, sortBy } = parse(listV2Schema, body);
  if (!isCount(limit) || limit < 1) throw invalidRequest('limit has to be a whole number above 0.');
  const count = Math.min(limit, MAX_LIMIT);
  const after = cursor === undefined ? null : parseCursor(cursor);
  const [sign, direction] = sortBy.order === 'desc' ? ['<', 'desc'] : ['>', 'asc'];
  const column = withFolders ? 'name' : sortBy.column;
  const { rows } = await engine.queryAs<Entry>(
    settingsOf(caller, 'storage.object.list_v2'),
    `with below as (
       select *, strpos(substr(name, length($2) + 1), '/') as slash from storage.objects
       where bucket_id = $1 and starts_with(name, $2)
     ), entries as (
       select distinct left(name, length($2) + slash) as name, true as is_folder, null::uuid as id,
         null::timestamptz as updated_at, null::timestamptz as created_at, null::jsonb as metadata
       from below where $3::boolean and slash > 0
       union all
       select name, false, id, updated_at, created_at, metadata from below where not ($3::boolean and slash > 0)
     ), keyed as (select *, ${column}::text collate "C" as sorted, name collate "C" as name_key from entries)
     select name, is_folder, sorted, id, updated_at, created_at, metadata from keyed
     where $4::text is null or (sorted, name_key) ${sign} ($5::text collate "C", $4::text collate "C")
     order by sorted ${direction}, name_key ${direction} limit $6::int`,
    [bucket, prefix, withFolders, after?.name ?? null, after?.sorted ?? null, count + 1],
  );
  const page = rows.slice(0, count);
  const last = page.at(-1);
  const hasNext = rows.length > count;
  return {
    hasNext,
    ...(hasNext && last !== undefined ? { nextCursor: cursorAt(last) } : {}),
    folders: page.filter((entry) => entry.is_folder).map(({ name }) => ({ key: name.replace(/\/$/, ''), name })),
    objects: page
      .filter((entry) => !entry.is_folder)
      .map(({ id, name, updated_at, created_at, metadata }) => ({
        id,
        key: name,
        name,
        updated_at,
        created_at,
        last_accessed_at: updated_at,
        metadata,
      })),
  };
}

const cursorAt = ({ name, sorted }: Entry): string =>
  Buffer.from(JSON.stringify({ name, sorted })).toString('base64url');

function parseCursor(cursor: string): v.InferOutput<typeof cursorSchema> {
  try {
    return v.parse(cursorSchema, JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw invalidRequest('The cursor is not one of this server.');
  }
}
