// Creates, lists and reads buckets. Row level security decides who may; the tables are those of Supabase Storage.
import * as v from 'valibot';
import type { Engine } from '../engine.ts';
import { systemCode } from '../start-error.ts';
import { type StorageCaller, settingsOf } from './caller.ts';
import { checkBucketName } from './object-key.ts';
import { StorageError, invalidRequest, noSuchBucket, tooLarge } from './storage-error.ts';

/** The largest file in a bucket without a lower limit: a form with one is read into memory. A new hosted project allows 50 MiB. */
export const MAX_FILE_BYTES = 47 * 1024 * 1024;

export type BucketRules = {
  readonly public: boolean;
  readonly maxBytes: number;
  /** Such as "image/png" or "image/*"; null allows every type. */
  readonly mimeTypes: readonly string[] | null;
};

const limitSchema = v.nullish(v.union([v.pipe(v.number(), v.integer(), v.minValue(0)), v.string()]));
const typesSchema = v.nullish(v.array(v.pipe(v.string(), v.regex(/^(?:\*|[\w.+-]+)\/(?:\*|[\w.+-]+)$/))));
const createSchema = v.object({
  id: v.nullish(v.string()),
  name: v.string(),
  public: v.nullish(v.boolean()),
  file_size_limit: limitSchema,
  allowed_mime_types: typesSchema,
});
const COLUMNS = `id, name, coalesce(owner_id, owner::text, '') as owner, public, file_size_limit, allowed_mime_types,
  created_at, updated_at, 'STANDARD' as type`;
const SORTABLE: ReadonlySet<string> = new Set(['id', 'name', 'created_at', 'updated_at']);

export class Buckets {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Bypasses row level security: these rules apply to everyone who may use the bucket. */
  async rulesOf(bucket: string): Promise<BucketRules> {
    const { rows } = await this.#engine.query<{ public: boolean | null; bytes: number | null; types: string[] | null }>(
      'select public, file_size_limit as bytes, allowed_mime_types as types from storage.buckets where id = $1',
      [bucket],
    );
    const [row] = rows;
    if (row === undefined) throw noSuchBucket();
    return {
      public: row.public === true,
      maxBytes: Math.min(row.bytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES),
      mimeTypes: row.types !== null && row.types.length > 0 ? row.types : null,
    };
  }

  async list(caller: StorageCaller, query: URLSearchParams): Promise<unknown> {
    const column = query.get('sortColumn') ?? 'name';
    const limit = Number(query.get('limit') ?? 100_000);
    const offset = Number(query.get('offset') ?? 0);
    if (!SORTABLE.has(column)) throw invalidRequest(`Buckets cannot be sorted by ${column.slice(0, 50)}.`);
    if (!isCount(limit) || !isCount(offset)) throw invalidRequest('limit and offset have to be whole numbers.');
    const { rows } = await this.#engine.queryAs(
      settingsOf(caller, 'storage.bucket.list'),
      `select ${COLUMNS} from storage.buckets where position(lower($1) in lower(name)) > 0
       order by ${column} ${query.get('sortOrder') === 'desc' ? 'desc' : 'asc'} limit $2::int offset $3::int`,
      [query.get('search') ?? '', limit, offset],
    );
    return rows;
  }

  async get(caller: StorageCaller, bucket: string): Promise<unknown> {
    const { rows } = await this.#engine.queryAs(
      settingsOf(caller, 'storage.bucket.get'),
      `select ${COLUMNS} from storage.buckets where id = $1`,
      [bucket],
    );
    if (rows[0] === undefined) throw noSuchBucket();
    return rows[0];
  }

  async create(caller: StorageCaller, body: unknown): Promise<unknown> {
    const input = parseStorageBody(createSchema, body);
    const name = checkBucketName(input.name);
    const id = checkBucketName(input.id ?? name);
    const owner = caller.userId;
    try {
      await this.#engine.queryAs(
        settingsOf(caller, 'storage.bucket.create'),
        `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
         values ($1, $2, $3::boolean, $4::bigint, $5::text[], ${toUuidSql('$6')}, $6)`,
        [
          id,
          name,
          input.public ?? false,
          parseByteLimit(input.file_size_limit),
          input.allowed_mime_types ?? null,
          owner,
        ],
      );
    } catch (error) {
      if (systemCode(error) === '23505') {
        throw new StorageError('BucketAlreadyExists', 'The resource already exists', { cause: error });
      }
      throw error;
    }
    return { name: id };
  }
}

/** Reads "20MB" like Supabase: in thousands, not in 1024s. Throws a `StorageError`. */
export function parseByteLimit(limit: number | string | null | undefined): number | null {
  if (limit === null || limit === undefined) return null;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)?$/i.exec(String(limit).trim()) ?? [];
  if (count === undefined) throw invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  const bytes = Math.round(Number(count) * ({ gb: 1e9, mb: 1e6, kb: 1e3 }[unit.toLowerCase()] ?? 1));
  if (bytes > MAX_FILE_BYTES) throw tooLarge();
  return bytes;
}

/** SQL for the parameter as a uuid, or null: other providers' user ids are stored in `owner_id` only. */
export const toUuidSql = (parameter: string): string =>
  `case when ${parameter}::text ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${parameter}::uuid end`;

export const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 2 ** 31;

/** Throws a `StorageError` if `body` does not match. */
export function parseStorageBody<const Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, Array.isArray(body) ? null : body);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw invalidRequest(`body/${v.getDotPath(issue) ?? ''} ${issue.message}`);
  }
  return parsed.output;
}
