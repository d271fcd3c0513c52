// The load itself, on a database whose checks say as whom rows are inserted, and a backup of an older Weft.
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadDumps } from '../../../backend/backup/load-dumps.ts';
import { restoreBackup } from '../../../backend/backup/restore-backup.ts';
import { writeBackup } from '../../../backend/backup/write-backup.ts';
import { MIGRATIONS_DIR } from '../../../backend/database.ts';
import { writeMigrationsFromBefore } from '../../support/database/before-first-release.ts';
import { TestBackend, startTestBackend } from '../../support/server/backend.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

let dir: string;
beforeAll(async () => {
  dir = await temporaryFolder('load');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test('rows are inserted by a role that runs no program, reads no file and calls no trigger', async () => {
  const backend = await startTestBackend();
  const { pg } = backend;
  await pg.exec(`
    create table weft.seen (who text);
    create function weft.see() returns boolean language plpgsql as $$
    begin
      insert into weft.seen values (concat_ws(' ', current_user, (select rolsuper from pg_roles where rolname = current_user)));
      begin
        copy weft.seen to program 'true';
        insert into weft.seen values ('runs programs');
      exception when insufficient_privilege then
        insert into weft.seen values ('refused: ' || sqlerrm);
      end;
      begin
        perform pg_read_file('/etc/passwd');
        insert into weft.seen values ('reads files');
      exception when insufficient_privilege then
        insert into weft.seen values ('refused: ' || sqlerrm);
      end;
      return true;
    end $$;
    revoke execute on function weft.see() from public;
    alter table public.profiles add check (weft.see());
    create function weft.trip() returns trigger language plpgsql as $$ begin raise exception 'a trigger'; end $$;
    create trigger trip before insert on public.profiles execute function weft.trip();
  `);
  const auth = join(dir, 'auth.sql');
  const data = join(dir, 'data.sql');
  const id = crypto.randomUUID();
  await writeFile(auth, '');
  await writeFile(
    data,
    `insert into "public"."profiles" ("id", "display_name", "color") overriding system value values ('${id}','Alice','saffron');\n`,
  );
  await loadDumps(pg, { auth, data }, new AbortController().signal);
  const { rows } = await pg.query<{ who: string }>('select who from weft.seen');
  expect(rows.map(({ who }) => who)).toEqual([
    'weft_loader f',
    'refused: permission denied to COPY to or from an external program',
    'refused: permission denied for function pg_read_file',
  ]);
  expect((await pg.query(`select from pg_roles where rolname = 'weft_loader'`)).rows).toEqual([]);
  expect((await pg.query('show session_replication_role')).rows).toEqual([{ session_replication_role: 'origin' }]);
  await backend.close();
});

describe('a backup of an older Weft is restored, and gets the other migrations', () => {
  /** A folder with Weft's migrations and a newer one. */
  const newerMigrations = async (): Promise<string> => {
    const newer = join(dir, 'newer');
    await cp(MIGRATIONS_DIR, newer, { recursive: true });
    await writeFile(join(newer, '20990101000001_add.sql'), 'create table public.added ();');
    return newer;
  };
  /** A backup of a workspace, made with these migrations. */
  const backUp = async (name: string, migrationsDir: string) => {
    const file = join(dir, `${name}.tar`);
    const backend = await startTestBackend({ migrationsDir });
    const alice = await backend.signUp('alice@example.com', 'Alice');
    const document = crypto.randomUUID();
    const made = await alice.client.rpc('create_workspace', { id: crypto.randomUUID(), name: 'Space', document });
    expect(made.error).toBeNull();
    await backend.pg.query(`update public.documents set title = 'Loom', body_text = 'warp and weft'`);
    const { pg: engine, files, keys } = backend.server.database;
    await writeBackup({ engine, files, keys }, file);
    await backend.close();
    return { file, document, keys };
  };
  const signal = new AbortController().signal;

  test.each(['fewer', 'before'])('%s', async (name) => {
    const older = name === 'fewer' ? MIGRATIONS_DIR : join(dir, name);
    if (name === 'before') await writeMigrationsFromBefore(older);
    const { file, document, keys } = await backUp(name, older);
    const migrationsDir = await newerMigrations();
    const place = join(dir, `${name}-restored`);
    await restoreBackup(file, { dir: place, migrationsDir, signal });
    const restored = await TestBackend.start({ dir: place, migrationsDir });
    try {
      const { rows } = await restored.pg.query<{ version: string }>(
        'select version from supabase_migrations.schema_migrations order by version',
      );
      expect(rows.map(({ version }) => version)).toEqual(
        (await readdir(migrationsDir)).toSorted().map((one) => one.split('_', 1)[0]),
      );
      expect((await restored.pg.query('select id, title, body_text from public.documents')).rows).toEqual([
        { id: document, title: 'Loom', body_text: 'warp and weft' },
      ]);
      expect((await restored.pg.query('select document_id from weft.search_texts')).rows).toEqual([
        { document_id: document },
      ]);
      expect((await restored.pg.query('select from public.added')).rows).toEqual([]);
      // The restore has applied them: no start copies the database first.
      expect((await readdir(place)).filter((one) => one.includes('before'))).toEqual([]);
      expect(await readFile(join(place, 'keys.json'), 'utf8')).toBe(`${JSON.stringify(keys, null, 2)}\n`);
    } finally {
      await restored.close();
    }
  });

  test('not if it lacks migrations from before the first release, or has others', async () => {
    const older = join(dir, 'partial');
    await writeMigrationsFromBefore(older);
    await writeFile(join(older, '20261201000001_add.sql'), 'create table public.added ();');
    const { file } = await backUp('partial', older);
    await expect(
      restoreBackup(file, { dir: join(dir, 'never'), migrationsDir: MIGRATIONS_DIR, signal }),
    ).rejects.toThrow(
      /^This backup is of a Weft from before the first release \(.*\), and not of its last state\. Restore it with Weft of commit/,
    );
    expect((await readdir(dir)).filter((one) => one.startsWith('never'))).toEqual([]);
  });
});
