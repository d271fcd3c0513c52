// A database of another version of Weft: an older one is copied before it is changed, a newer one is refused.
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
  /** Weft's migrations and further ones, up to `version`. */
  const newer = async (version: string): Promise<string> => {
    const migrations = join(fixture.folder, `migrations-${version}`);
    await cp(MIGRATIONS_DIR, migrations, { recursive: true });
    for (const one of ['20990101000001', '20990101000002', '20990101000003']) {
      if (one <= version) await writeFile(join(migrations, `${one}_add.sql`), `create table public.added_${one} ();`);
    }
    return migrations;
  };

  test('of an older Weft is migrated after a copy, which is named; the oldest copies are removed', async () => {
    for (const version of ['20990101000001', '20990101000002', '20990101000003']) {
      expect(await open(await newer(version))).toBeNull();
    }
    expect(log).toHaveLength(3);
    const kept = await copies();
    expect(kept).toHaveLength(2);
    expect(log[2]).toContain(`As it was, it is in ${join(fixture.data, kept[1] ?? '')}.`);
    // The copy works.
    await rm(join(fixture.data, 'postgres'), { recursive: true });
    await cp(join(fixture.data, kept[1] ?? ''), join(fixture.data, 'postgres'), { recursive: true });
    expect(await open(await newer('20990101000002'))).toBeNull();
    expect(log).toHaveLength(3);
  }, 60_000);

  test('of this Weft is not copied', async () => {
    expect(await open(MIGRATIONS_DIR)).toBeNull();
    expect([await copies(), log]).toEqual([[], []]);
  });

  test('of a newer Weft is refused and not changed', async () => {
    expect(await open(await newer('20990101000001'))).toBeNull();
    const refused = await open(MIGRATIONS_DIR);
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toContain(
      'The data is of a newer Weft (migration 20990101000001). Update Weft, or name another directory.',
    );
    expect(await copies()).toHaveLength(1);
  });
});
