// Opening a database of another version of Weft: an older one is copied before it is changed, a newer one is refused.
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MIGRATIONS_DIR, openDatabase } from '../../../backend/database.ts';
import { StartError } from '../../../backend/start-error.ts';
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
    expect(String(refused)).toContain('(its migration 20990101000001 has changed since), and cannot be updated.');
  });
});
