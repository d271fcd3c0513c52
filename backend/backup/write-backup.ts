// One file with everything: the database as plain SQL from one transaction, the migrations that made its tables, the keys,
// and the files that its rows name.
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RecordedMigration, appliedMigrations } from '../database/migrations.ts';
import type { Engine, Queries } from '../engine.ts';
import type { Keys } from '../keys/keys.ts';
import type { FileStore } from '../storage/file-store.ts';
import { dumpUsers } from './dump-users.ts';
import { type Line, POSTAMBLE, PREAMBLE, authTables, dataTables, dumpTable, guardLine, nameOf } from './dump.ts';
import {
  BACKUP_FORMAT,
  ENTRIES,
  type Manifest,
  type StoredObject,
  fileEntry,
  migrationEntry,
  weftVersion,
} from './manifest.ts';
import { type TarWriter, writeTar } from './tar.ts';

export type BackupParts = { readonly engine: Engine; readonly files: FileStore; readonly keys: Keys };

type Dumped = {
  readonly migrations: readonly RecordedMigration[];
  readonly objects: readonly StoredObject[];
  readonly postgres: string;
};

/** `target` must not exist. When this rejects, also because `signal` aborts, it leaves nothing behind. */
export async function writeBackup(parts: BackupParts, target: string, signal?: AbortSignal): Promise<Manifest> {
  const dir = await mkdtemp(join(dirname(target), '.weft-backup-'));
  // Keep every file that the rows name until it is in the backup.
  const release = parts.files.pauseRemoval();
  try {
    const dumped = await dump(parts.engine, dir, signal);
    return await writeTar(target, (tar) => fill(tar, dir, parts, dumped), signal);
  } finally {
    release();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Dumps to files first: a tar needs their sizes, and the transaction ends before the stored files are copied. */
function dump(engine: Engine, dir: string, signal: AbortSignal | undefined): Promise<Dumped> {
  return engine.transaction(async (tx) => {
    await tx.exec('set transaction isolation level repeatable read, read only');
    await tx.exec(`set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local bytea_output = 'hex'`);
    const write = (name: string, lines: () => AsyncGenerator<Line>) => writeLines(join(dir, name), lines(), signal);
    await write(ENTRIES.users, () => usersScript(tx));
    await write(ENTRIES.auth, () => authScript(tx));
    await write(ENTRIES.data, () => dataScript(tx));
    const migrations = await appliedMigrations(tx);
    const { rows: objects } = await tx.query<StoredObject>(
      `select bucket_id as bucket, name, version, metadata ->> 'mimetype' as mimetype,
         metadata ->> 'cacheControl' as "cacheControl"
       from storage.objects where version is not null order by bucket_id, name`,
    );
    const { rows: version } = await tx.query<{ postgres: string }>(
      `select current_setting('server_version') as postgres`,
    );
    return { migrations, objects, postgres: version[0]?.postgres ?? '' };
  });
}

async function fill(tar: TarWriter, dir: string, { files, keys }: BackupParts, dumped: Dumped): Promise<Manifest> {
  const { migrations, objects, postgres } = dumped;
  const found: { readonly object: StoredObject; readonly path: string }[] = [];
  for (const object of objects) {
    const path = await files.pathOf(object.version);
    // The dump holds the row all the same, so it shows what is missing.
    if (path === null) process.stderr.write(`There is no file for ${object.bucket}/${object.name}.\n`);
    else found.push({ object, path });
  }
  const manifest: Manifest = {
    kind: 'weft-backup',
    format: BACKUP_FORMAT,
    weft: await weftVersion(),
    createdAt: new Date().toISOString(),
    postgres,
    migrations: migrations.map(({ version }) => version),
    files: found.length,
  };
  await tar.add(ENTRIES.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
  await tar.add(ENTRIES.keys, `${JSON.stringify(keys, null, 2)}\n`);
  for (const { version, name, sql } of migrations) await tar.add(`${migrationEntry(version)}${name}.sql`, sql);
  for (const name of [ENTRIES.users, ENTRIES.auth, ENTRIES.data]) await tar.addFile(name, join(dir, name));
  await tar.add(ENTRIES.files, `${JSON.stringify(found.map(({ object }) => object))}\n`);
  for (const { object, path } of found) await tar.addFile(fileEntry(object.version), path);
  return manifest;
}

async function* dataScript(tx: Queries): AsyncGenerator<Line> {
  const { own, storage, settings } = await dataTables(tx);
  yield* PREAMBLE;
  yield guardLine(own);
  for (const table of [...own, ...storage, ...settings]) yield* dumpTable(tx, table);
  yield* POSTAMBLE;
}

/** For a database that only this backend has filled: deletes what the backend creates at its start, then inserts. */
async function* authScript(tx: Queries): AsyncGenerator<Line> {
  const tables = await authTables(tx);
  yield* PREAMBLE;
  for (const table of tables) yield `delete from ${nameOf(table)};`;
  for (const table of tables) yield* dumpTable(tx, table);
  yield* POSTAMBLE;
}

async function* usersScript(tx: Queries): AsyncGenerator<Line> {
  yield* PREAMBLE;
  yield* dumpUsers(tx);
  yield* POSTAMBLE;
}

async function writeLines(file: string, lines: AsyncGenerator<Line>, signal: AbortSignal | undefined): Promise<void> {
  const ended = async function* () {
    for await (const line of lines) yield `${line}\n`;
  };
  signal?.throwIfAborted();
  await pipeline(Readable.from(ended()), createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal });
}
