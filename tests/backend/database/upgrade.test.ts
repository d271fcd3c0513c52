// Opening a database of another version of Weft: an older one is copied before it is changed, a newer one is refused.
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Database, MIGRATIONS_DIR, openDatabase } from '../../../backend/database.ts';
import { StartError } from '../../../backend/start-error.ts';
import { buildFirstRelease } from '../../sql/fixture/workspace-fixture.ts';
import { writeMigrationsFromBefore } from '../../support/database/before-first-release.ts';
import { describeSchema } from '../../support/database/describe-schema.ts';
import { PgConnection } from '../../support/database/pg-connection.ts';
import { Sql } from '../../support/database/sql.ts';
import { DataFixture } from '../postgres/data-fixture.ts';

const fixture = new DataFixture();

let log: string[];
beforeEach(async () => {
  log = [];
  await fixture.useTemplate();
});

describe('a database', () => {
  const copies = async () => (await readdir(fixture.data)).filter((name) => name.includes('.before-')).toSorted();
  const open = (migrationsDir: string) =>
    openDatabase({ dir: fixture.data, migrationsDir, log: (line) => log.push(line) }).then(
      async (database) => {
        await database.close();
        return null;
      },
      (error: unknown) => error,
    );
  /** A folder with Weft's migrations and later ones, up to `version`. */
  const newerMigrations = async (version: string): Promise<string> => {
    const migrations = join(fixture.folder, `migrations-${version}`);
    await cp(MIGRATIONS_DIR, migrations, { recursive: true });
    for (const one of ['20990101000001', '20990101000002', '20990101000003']) {
      if (one <= version) await writeFile(join(migrations, `${one}_add.sql`), `create table public.added_${one} ();`);
    }
    return migrations;
  };

  test('of an older Weft is copied, then migrated; the log names the copy, and only the newest copies stay', async () => {
    for (const version of ['20990101000001', '20990101000002', '20990101000003']) {
      expect(await open(await newerMigrations(version))).toBeNull();
    }
    expect(log).toHaveLength(3);
    const remaining = await copies();
    expect(remaining).toHaveLength(2);
    expect(log[2]).toContain(`A copy from before is in ${join(fixture.data, remaining[1] ?? '')}.`);
    // The copy works.
    await rm(join(fixture.data, 'postgres'), { recursive: true });
    await cp(join(fixture.data, remaining[1] ?? ''), join(fixture.data, 'postgres'), { recursive: true });
    expect(await open(await newerMigrations('20990101000002'))).toBeNull();
    expect(log).toHaveLength(3);
  }, 60_000);

  test('of this Weft is not copied', async () => {
    expect(await open(MIGRATIONS_DIR)).toBeNull();
    expect([await copies(), log]).toEqual([[], []]);
  });

  test('of a newer Weft is refused and not changed', async () => {
    expect(await open(await newerMigrations('20990101000001'))).toBeNull();
    const refused = await open(MIGRATIONS_DIR);
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toContain(
      'A newer Weft has changed this database (migration 20990101000001). Update Weft, or name another directory.',
    );
    expect(await copies()).toHaveLength(1);
  });

  test('whose migration has changed since is refused and not changed', async () => {
    const migrations = await newerMigrations('20990101000001');
    expect(await open(migrations)).toBeNull();
    await writeFile(join(migrations, '20990101000001_add.sql'), 'create table public.added_otherwise ();');
    const refused = await open(migrations);
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toContain('The migration 20990101000001 of this database is not the one of this Weft');
  });
});

describe('a database from before the first release', () => {
  const before = () => join(fixture.folder, 'before');
  const start = (migrationsDir: string) =>
    openDatabase({ dir: fixture.data, migrationsDir, log: (line) => log.push(line) });
  const build = async (migrationsDir: string): Promise<void> => {
    await rm(fixture.data, { recursive: true });
    const database = await start(migrationsDir);
    const connection = await PgConnection.open(database.url);
    await connection.transaction((tx) => buildFirstRelease(new Sql(tx)));
    await connection.close();
    await database.close();
    log = [];
  };
  const contentOf = async ({ pg }: Database) => {
    const { rows } = await pg.query(
      `select d.id, d.title, d.changed_xid::text, u.seq, u.update, m.user_id, m.role
       from public.documents as d join public.document_updates as u on u.document_id = d.id
       left join public.document_members as m on m.document_id = d.id order by d.id, u.seq, m.user_id`,
    );
    return rows;
  };

  test('with all its migrations goes on as a new one, with its pages, after it was copied', async () => {
    await writeMigrationsFromBefore(before());
    await build(before());
    const old = await start(before());
    const content = await contentOf(old);
    await old.close();
    expect(content.length).toBeGreaterThan(3);
    expect(log).toEqual([]);

    const database = await start(MIGRATIONS_DIR);
    expect(log).toEqual([
      expect.stringMatching(/^Updating the database: to the first release\. A copy from before is in /),
    ]);
    expect(await contentOf(database)).toEqual(content);
    const lines = await describeSchema(async (sql) => (await database.pg.query(sql)).rows);
    await database.close();
    await rm(fixture.data, { recursive: true });
    const made = await start(MIGRATIONS_DIR);
    expect(await describeSchema(async (sql) => (await made.pg.query(sql)).rows)).toEqual(lines);
    const versions = (await made.pg.query('select version from supabase_migrations.schema_migrations')).rows;
    await made.close();
    expect(versions).toHaveLength((await readdir(MIGRATIONS_DIR)).length);
  }, 60_000);

  test('without the last of them, or with another one, is refused and not changed', async () => {
    await writeMigrationsFromBefore(before());
    const last = (await readdir(before())).toSorted().at(-1) ?? '';
    await rm(join(before(), last));
    await build(before());
    const refused = await start(MIGRATIONS_DIR).catch(String);
    expect(refused).toContain(
      'is of a Weft from before the first release, and not of its last state. Start it once with',
    );
    await writeFile(join(before(), last), 'create table public.other ();');
    await (await start(before())).close();
    expect(await start(MIGRATIONS_DIR).catch(String)).toBe(refused);
    // It still opens with the Weft that it is of.
    await (await start(before())).close();
  }, 60_000);
});
