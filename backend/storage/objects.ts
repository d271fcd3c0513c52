// Reads and writes the rows of objects, under row level security where there is a caller. Knows no files: a statement
// after which a file is no longer needed returns the file's version.
import type { Engine, Transaction } from '../engine.ts';
import { toUuidSql } from './buckets.ts';
import { type StorageCaller, settingsOf } from './caller.ts';
import type { ObjectKey } from './object-key.ts';
import { noSuchKey } from './storage-error.ts';

/** The same fields as in Supabase Storage. */
export type ObjectMetadata = {
  readonly eTag: string;
  readonly size: number;
  readonly mimetype: string;
  readonly cacheControl: string;
  readonly lastModified: string;
  readonly contentLength: number;
  readonly httpStatusCode: 200;
};

export type ObjectRow = {
  readonly id: string;
  readonly name: string;
  readonly bucket_id: string;
  readonly version: string | null;
  readonly metadata: Partial<ObjectMetadata> | null;
  readonly user_metadata: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly updated_at: string;
};

export type NewObject = {
  readonly key: ObjectKey;
  readonly version: string;
  readonly metadata: ObjectMetadata;
  readonly userMetadata: Readonly<Record<string, unknown>> | null;
};

/** If the object already exists, 'insert' fails and 'upsert' replaces it. */
export type UploadMode = 'insert' | 'upsert';

type Written = {
  readonly id: string;
  /** The version of the file that the object had before; null for a new object. */
  readonly replaced: string | null;
};

const COLUMNS = 'id, name, bucket_id, version, metadata, user_metadata, created_at, updated_at';
const EMPTY = { metadata: null, version: null, userMetadata: null };

export class Objects {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Throws a `StorageError` when the caller sees no such object. A null caller bypasses row level security. */
  async find(key: ObjectKey, caller: StorageCaller | null, operation: string): Promise<ObjectRow> {
    const sql = `select ${COLUMNS} from storage.objects where bucket_id = $1 and name = $2`;
    const params = [key.bucket, key.name];
    const { rows } =
      caller === null
        ? await this.#engine.query<ObjectRow>(sql, params)
        : await this.#engine.queryAs<ObjectRow>(settingsOf(caller, operation), sql, params);
    if (rows[0] === undefined) throw noSuchKey();
    return rows[0];
  }

  /** Checks the policies before any byte of the body is read. Changes nothing. */
  async probeWrite(key: ObjectKey, mode: UploadMode, caller: StorageCaller, operation: string): Promise<void> {
    await this.#as(caller, operation, async (tx) => {
      await write(tx, key, mode, caller.userId, EMPTY);
      await tx.rollback();
    });
  }

  write(object: NewObject, mode: UploadMode, caller: StorageCaller, operation: string): Promise<Written> {
    return this.#as(caller, operation, (tx) => write(tx, object.key, mode, caller.userId, object));
  }

  /** Returns the deleted rows; objects that the caller may not delete stay. */
  async remove(bucket: string, names: readonly string[], caller: StorageCaller): Promise<ObjectRow[]> {
    const { rows } = await this.#engine.queryAs<ObjectRow>(
      settingsOf(caller, 'storage.object.delete_many'),
      `delete from storage.objects where bucket_id = $1 and name = any($2::text[])
       returning ${COLUMNS}, owner, owner_id, last_accessed_at`,
      [bucket, names],
    );
    return rows;
  }

  async versions(): Promise<ReadonlySet<string>> {
    const { rows } = await this.#engine.query<{ version: string }>(
      'select version from storage.objects where version is not null',
    );
    return new Set(rows.map(({ version }) => version));
  }

  #as<T>(caller: StorageCaller, operation: string, run: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#engine.transaction(async (tx) => {
      await tx.set(settingsOf(caller, operation));
      return run(tx);
    });
  }
}

type Content = Pick<NewObject, 'userMetadata'> & {
  readonly version: string | null;
  readonly metadata: ObjectMetadata | null;
};

async function write(
  tx: Transaction,
  key: ObjectKey,
  mode: UploadMode,
  owner: string | null,
  { version, metadata, userMetadata }: Content,
): Promise<Written> {
  // With the caller's policies: no one can replace an object that they may not see.
  const before = await tx.query<{ version: string | null }>(
    `select version from storage.objects where bucket_id = $1 and name = $2`,
    [key.bucket, key.name],
  );
  const { rows } = await tx.query<{ id: string }>(STATEMENTS[mode], [
    key.bucket,
    key.name,
    version,
    metadata === null ? null : JSON.stringify(metadata),
    userMetadata === null ? null : JSON.stringify(userMetadata),
    owner,
  ]);
  if (rows[0] === undefined) throw noSuchKey();
  return { id: rows[0].id, replaced: before.rows[0]?.version ?? null };
}

const INSERT = `insert into storage.objects (bucket_id, name, version, metadata, user_metadata, owner, owner_id)
  values ($1, $2, $3, $4::jsonb, $5::jsonb, ${toUuidSql('$6')}, $6)`;
const CHANGES = `version = $3, metadata = $4::jsonb, user_metadata = $5::jsonb, owner = ${toUuidSql('$6')}, owner_id = $6,
  updated_at = now()`;

const STATEMENTS: Readonly<Record<UploadMode, string>> = {
  insert: `${INSERT} returning id`,
  upsert: `${INSERT} on conflict (bucket_id, name) do update set ${CHANGES} returning id`,
};
