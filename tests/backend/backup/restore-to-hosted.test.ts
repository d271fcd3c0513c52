// Restores a backup of the embedded backend to a hosted project as docs/backup.md says: as the project's owner, who is
// no superuser.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackup } from '../../../backend/backup/write-backup.ts';
import { copyDatabase, dropDatabase } from '../../support/database/databases.ts';
import { PROJECT_OWNER } from '../../support/database/hosted-project.ts';
import { PgConnection } from '../../support/database/pg-connection.ts';
import { type Person, type TestBackend, startTestBackend } from '../../support/server/backend.ts';

const AWKWARD = `O'Reilly \\ "quoted"\nsecond line\r\ttab $1 :name -- no comment; \u{1F9F5} ünïcödé E'\\n'`;

let dir: string;
let url: string;
let backend: TestBackend;
let project: PgConnection;
let alice: Person;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'weft-hosted-'));
  [backend, url] = await Promise.all([startTestBackend(), copyDatabase('hosted')]);
  project = await PgConnection.open(url);
  alice = await backend.signUp('alice@example.com', 'Alice');
  await backend.guest('Guest');
  const args = { id: crypto.randomUUID(), name: 'Space', document: crypto.randomUUID() };
  const { error } = await alice.client.rpc('create_workspace', args);
  if (error !== null) throw new Error(error.message);
  await backend.pg.query('update public.documents set body_text = $1', [AWKWARD]);
  await backend.pg.exec(`insert into storage.buckets (id, name, public) values ('files', 'files', false)`);
  await backend.serviceClient().storage.from('files').upload('a b/c.txt', 'text');
  const { pg: engine, files, keys } = backend.server.database;
  await writeBackup({ engine, files, keys }, join(dir, 'backup.tar'));
  execFileSync('tar', ['xf', join(dir, 'backup.tar'), '-C', dir]);
});
afterAll(async () => {
  await project.close();
  await dropDatabase(url);
  await backend.close();
  await rm(dir, { recursive: true, force: true });
});

/** Runs these scripts in one transaction, as `psql --single-transaction -f users.sql -f data.sql` does. */
async function load(...names: readonly string[]): Promise<void> {
  const scripts = await Promise.all(names.map((name) => readFile(join(dir, name), 'utf8')));
  try {
    await project.query(`begin; set local role ${PROJECT_OWNER}; ${scripts.join('\n')} commit;`);
  } catch (error) {
    await project.query('rollback');
    throw error;
  }
}

const rowsOf = (from: PgConnection, table: string): Promise<unknown> =>
  from.query(`select jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) as rows from ${table} t`);

test('accounts, workspaces, pages and the rows of files are restored completely', async () => {
  await load('users.sql', 'data.sql');
  const tables = await project.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'weft') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(8);
  for (const { name } of tables) {
    // The limits of the plan stay as they are in the project.
    if (name === 'weft.settings') continue;
    const { rows } = await backend.pg.query(
      `select jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) as rows from ${name} t`,
    );
    expect({ [name]: await rowsOf(project, name) }).toEqual({ [name]: rows });
  }
  const { rows: settings } = await backend.pg.query<{ id: string }>('select database_id as id from weft.settings');
  expect(await rowsOf(project, 'weft.settings')).toEqual([
    {
      rows: [
        {
          is_only_row: true,
          messages_per_second: 100,
          final_restore_at: null,
          quotas: {},
          database_id: settings[0]?.id,
        },
      ],
    },
  ]);
  const users = await project.query(`
    select email, left(encrypted_password, 4) as hash, is_anonymous, instance_id, confirmation_token, email_change,
      (select array_agg(provider || ' ' || email) from auth.identities i where i.user_id = u.id) as identities
    from auth.users u order by is_anonymous`);
  expect(users).toEqual([
    {
      email: 'alice@example.com',
      hash: expect.stringMatching(/^\$2[aby]\$/),
      is_anonymous: false,
      instance_id: '00000000-0000-0000-0000-000000000000',
      confirmation_token: '',
      email_change: '',
      identities: ['email alice@example.com'],
    },
    expect.objectContaining({ email: null, is_anonymous: true, confirmation_token: '', identities: null }),
  ]);
  expect(await project.query('select bucket_id, name, path_tokens from storage.objects')).toEqual([
    { bucket_id: 'files', name: 'a b/c.txt', path_tokens: ['a b', 'c.txt'] },
  ]);
  // Triggers are active again.
  expect(await project.query('show session_replication_role')).toEqual([{ session_replication_role: 'origin' }]);
});

test('the backup leaves out the objects of our Realtime, because a project has its own', async () => {
  for (const name of ['users.sql', 'data.sql']) {
    expect(await readFile(join(dir, name), 'utf8')).not.toMatch(/realtime|trigger/);
  }
});

test('restoring twice, or over other data, is refused and changes nothing', async () => {
  const before = await rowsOf(project, 'public.documents');
  await expect(load('users.sql', 'data.sql')).rejects.toThrow('duplicate key');
  await expect(load('data.sql')).rejects.toThrow('There is data here already');
  expect(await rowsOf(project, 'public.documents')).toEqual(before);
});
